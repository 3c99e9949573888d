// READY of a person in many servers with many channels, half of them unread: processor time and bytes.
import { join } from "node:path";
import type { ReadyResult, Watched } from "../load/jobs.ts";
import { signIns } from "../load-generator.ts";
import { medianOf } from "../medians.ts";
import type { Scale } from "../options.ts";
import { call, type Person, type Stage, setStage } from "../people.ts";
import type { Findings, Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { type HearthOptions, type RunningServer, startHearth } from "../servers.ts";

const workload = "ready";
/** One in this many channels has a message that mentions the reader, and is unread. */
const mentionEvery = 50;
const callsAtOnce = 8;
export const mostReadyMs = 60;

export async function measureReady(scale: Scale, logLevel?: string): Promise<Findings> {
  using scratch = scratchFolder();
  const options = { dataDir: join(scratch.path, "data"), logLevel };
  const reader = await setHalls(options, scale);
  await using hearth = await startHearth(options);
  const turns: ReadyResult[] = [];
  for (let round = 0; round < scale.rounds; round++) turns.push(await signInOften(hearth, reader, scale));
  check(turns.at(-1)!, scale);
  const row = (figure: string, unit: string, value: (turn: ReadyResult) => number): Row => ({
    workload,
    figure,
    unit,
    value: medianOf(turns, value),
  });
  const size = `${scale.readyServers} servers × ${scale.readyChannels} channels`;
  return {
    rows: [
      { ...row(`processor time of a READY, ${size}`, "ms", cpuPerReadyMs), target: { atMost: mostReadyMs } },
      row(
        "bytes of its read states, per channel",
        "",
        (turn) => (turn.readStates?.bytes ?? 0) / turn.channels,
      ),
      row("bytes of READY, per channel", "", bytesPerChannel),
    ],
    othersBusy: Math.max(...turns.map((turn) => turn.othersBusy)),
    raw: { workload, turns },
  };
}

/**
 * Creates the servers and channels through the public interface, so that this works with any checkout's Hearth, and
 * marks every second channel read where Hearth supports it. Returns the reader, a member of all servers.
 */
export async function setHalls(options: HearthOptions, scale: Scale): Promise<Person> {
  await using hearth = await startHearth(options);
  const stage = await setStage(hearth.origin, 2);
  const { people } = stage;
  const reader = people[1]!;
  const serverIds = [stage.serverId];
  while (serverIds.length < scale.readyServers) serverIds.push(await joinNew(stage, serverIds.length));
  const channelIds = await severalAtOnce(serverIds, (serverId) =>
    furnish(stage, serverId, scale.readyChannels),
  );
  const said = await severalAtOnce(channelIds.flat(), async (channelId, index) => {
    const content =
      index % mentionEvery === 0 ? `Are you there, @${reader.username}?` : `The news of hall ${index}.`;
    const path = `/channels/${channelId}/messages`;
    const { id } = await call<{ id: string }>(stage.origin, people[0]!, "POST", path, { content });
    return { channelId, id };
  });
  const description = await (await fetch(`${stage.origin}/docs/swagger.json`)).text();
  if (!description.includes("/channels/{channelID}/read")) return reader;
  await severalAtOnce(said, async ({ channelId, id }, index) => {
    if (index % 2 === 1)
      await call(stage.origin, reader, "PUT", `/channels/${channelId}/read`, { message_id: id });
  });
  return reader;
}

async function joinNew({ origin, people: [owner, reader] }: Stage, number: number): Promise<string> {
  const name = `House ${number}`;
  const { id } = await call<{ id: string }>(origin, owner!, "POST", "/servers", { name });
  const { code } = await call<{ code: string }>(origin, owner!, "POST", "/invites", { server_id: id });
  await call(origin, reader!, "POST", `/invites/${code}/join`);
  return id;
}

/** Creates channels in a server until there are `count`. Returns the ids of all. */
async function furnish(
  { origin, people: [owner] }: Stage,
  server_id: string,
  count: number,
): Promise<string[]> {
  const list = await call<{ id: string }[]>(origin, owner!, "GET", `/channels?server_id=${server_id}`);
  const ids = list.map((channel) => channel.id);
  for (let made = ids.length; made < count; made++) {
    const body = { server_id, name: `hall-${made}` };
    ids.push((await call<{ id: string }>(origin, owner!, "POST", "/channels", body)).id);
  }
  return ids;
}

async function severalAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: callsAtOnce }, async () => {
      for (let index = next++; index < items.length; index = next++) {
        results[index] = await work(items[index]!, index);
      }
    }),
  );
  return results;
}

export function signInOften(
  { target }: RunningServer,
  reader: Person,
  scale: Scale,
  watched: Watched = {},
): Promise<ReadyResult> {
  return signIns({
    target,
    watched,
    token: reader.token,
    warmup: { seconds: scale.warmupSeconds },
    measured: { seconds: scale.seconds },
  });
}

function check({ channels, readStates }: ReadyResult, { readyServers, readyChannels }: Scale): void {
  const due = readyServers * readyChannels;
  if (channels !== due || readStates?.count !== due)
    throw new Error(`READY has ${channels} channels and ${readStates?.count} read states, not ${due}`);
  const { unread, mentioning } = readStates;
  if (unread !== due / 2 || mentioning !== Math.ceil(due / mentionEvery))
    throw new Error(`READY has ${unread} unread channels, and ${mentioning} that mention the reader`);
}

export function cpuPerReadyMs(result: ReadyResult): number {
  return result.serverCpuMs / result.answers;
}

export function bytesPerChannel(result: ReadyResult): number {
  return result.bytes / result.channels;
}
