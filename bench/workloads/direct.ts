// Conversations: what a message of two people costs beside a post in a channel of two, and with a thousand of them
// READY, and how soon the page shows the list.
import { join } from "node:path";
import { launchBrowser, Reader } from "../browser.ts";
import { Filler } from "../filler.ts";
import type { ReadyResult, RequestResult } from "../load/jobs.ts";
import { holdSockets, requests } from "../load-generator.ts";
import { compare, median, medianOf, othersBusy, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { call, type Stage, setStage } from "../people.ts";
import { posts } from "../raw-requests.ts";
import type { Findings, Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { type RunningServer, startHearth } from "../servers.ts";
import { mostReadyMs, signInOften } from "./ready.ts";

const workload = "direct";
const inFlight = 8;
/** From the click on the strip to the frame that shows the list. */
const mostListMs = 100;
/** After the first message, so that the page has loaded what it loads when it is idle, as before most clicks (ms). */
const restMs = 3000;

export async function measureDirect(scale: Scale, logLevel?: string): Promise<Findings> {
  using scratch = scratchFolder();
  const options = { dataDir: join(scratch.path, "data"), logLevel };
  const stage = await begin(options.dataDir);
  fill(options.dataDir, stage, scale.conversations);
  await using hearth = await startHearth(options);
  const two = { ...stage, origin: hearth.origin };
  const turns = await takeTurns(
    scale.rounds,
    () => talk(hearth, { ...two, channelId: stage.talkId }, scale),
    () => talk(hearth, two, scale),
  );
  const ready: ReadyResult[] = [];
  const reader = stage.people[0]!;
  for (let round = 0; round < scale.rounds; round++) ready.push(await signInOften(hearth, reader, scale));
  const listMs = await openList(hearth, stage, scale);
  const many = scale.conversations.toLocaleString("en-US");
  return {
    rows: [
      {
        ...{ workload, figure: "messages of two people; reference: posts in a channel of two", unit: "/s" },
        ...compare(turns, (turn) => turn.perSecond),
        ...{ target: { atLeast: 1 }, targetIsRatio: true },
      },
      {
        workload,
        figure: "server processor time per message",
        unit: "µs",
        ...compare(turns, cpuPerAnswerUs),
      },
      {
        ...{ workload, figure: `processor time of a READY, ${many} conversations`, unit: "ms" },
        value: medianOf(ready, (turn) => turn.serverCpuMs / turn.answers),
        target: { atMost: mostReadyMs },
      },
      ...(listMs === undefined ? [] : [listRow(listMs, many)]),
    ],
    othersBusy: Math.max(othersBusy(turns), ...ready.map((turn) => turn.othersBusy)),
    raw: { workload, ...turns, ready, listMs },
  };
}

function listRow(taken: number[], many: string): Row {
  const figure = `the page's list of ${many} conversations, from the click`;
  return { workload, figure, value: median(taken), unit: "ms", target: { atMost: mostListMs } };
}

/** Returns how long the page took to show the list, by round; undefined when Chromium is not installed. */
async function openList(
  { origin }: RunningServer,
  stage: Stage,
  scale: Scale,
): Promise<number[] | undefined> {
  const browser = await launchBrowser();
  if (!browser) return undefined;
  const taken: number[] = [];
  try {
    for (let round = 0; round < scale.rounds; round++) {
      await using reader = await Reader.open(browser, origin, stage.people[0]!);
      await reader.visit(`/servers/${stage.serverId}/channels/${stage.channelId}`, "article");
      await Bun.sleep(restMs);
      taken.push(await reader.follow('a[href="/direct"]', 'nav[aria-label="Conversations"] a'));
    }
  } finally {
    await browser.close();
  }
  return taken;
}

interface Talk extends Stage {
  talkId: string;
}

/** Two people with a server and a conversation of their own. */
async function begin(dataDir: string): Promise<Talk> {
  await using hearth = await startHearth({ dataDir });
  const stage = await setStage(hearth.origin, 2);
  const [one, other] = stage.people;
  const { id } = await call<{ id: string }>(stage.origin, other!, "GET", "/auth/me");
  const body = { user_ids: [id] };
  const talk = await call<{ id: string }>(stage.origin, one!, "POST", "/direct", body);
  await call(stage.origin, one!, "POST", `/channels/${talk.id}/messages`, { content: "Between us." });
  return { ...stage, talkId: talk.id };
}

/** Adds conversations of the first person with as many others, each with a message, until there are `count`. */
function fill(dataDir: string, { talkId }: Talk, count: number): void {
  using filler = new Filler(dataDir);
  const [mine, theirs] = filler.rows("recipients", { channel_id: talkId });
  const friends = filler.people("friend", count - 1);
  const talks = friends.map((id) => ({ id: Bun.randomUUIDv7(), friend: id }));
  filler.copies(
    "channels",
    filler.row("channels", { id: talkId }),
    talks.map(({ id }) => ({ id, audience: `direct:${id}` })),
  );
  filler.copies(
    "conversations",
    filler.row("conversations", { channel_id: talkId }),
    talks.map(({ id, friend }) => ({
      channel_id: id,
      pair: [String(mine!.user_id), friend].sort().join(" "),
    })),
  );
  filler.copies(
    "recipients",
    mine!,
    talks.map(({ id }) => ({ channel_id: id })),
  );
  filler.copies(
    "recipients",
    theirs!,
    talks.map(({ id, friend }) => ({ channel_id: id, user_id: friend })),
  );
  filler.copies(
    "messages",
    filler.row("messages", { channel_id: talkId }),
    talks.map(({ id, friend }) => ({ id: Bun.randomUUIDv7(), channel_id: id, author_id: friend })),
  );
  filler.copies(
    "streams",
    filler.row("streams", { stream: `direct:${talkId}` }),
    talks.map(({ id }) => ({ stream: `direct:${id}`, last_id: "" })),
  );
}

/** Posts of one of two people, while both listen. */
async function talk({ target }: RunningServer, stage: Stage, scale: Scale): Promise<RequestResult> {
  const tokens = stage.people.map(({ token }) => token);
  const listeners = { path: "/ws", serverId: stage.serverId, tokens, sockets: tokens.length };
  const held = await holdSockets({ target, listeners: { ...listeners, mayMiss: true } });
  const result = await requests({
    target,
    requests: [posts(stage, stage.people[0]!)],
    inFlight,
    expectedStatus: 201,
    warmup: { seconds: scale.warmupSeconds },
    measured: { seconds: scale.seconds },
  });
  const lost = await held.release();
  if (lost > 0) throw new Error(`${lost} sockets were lost`);
  return result;
}

function cpuPerAnswerUs({ serverCpuMs, answers }: RequestResult): number {
  return (serverCpuMs * 1000) / answers;
}
