// A large server with private channels: signing in, and a change of an override that everybody hears of.
import { join } from "node:path";
import { permission } from "../../protocol/permissions.ts";
import { gatherReaders } from "../crowd.ts";
import { holdSockets, signIns } from "../load-generator.ts";
import { median } from "../medians.ts";
import type { Scale } from "../options.ts";
import { call, type Person, type Stage, setStage } from "../people.ts";
import type { Findings } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { type RunningServer, startHearth } from "../servers.ts";

const workload = "private";
const { VIEW_CHANNEL, SEND_MESSAGES } = permission;
/** Sockets of whom each change is timed; the others only have to be told as well. */
const observers = 20;

interface Hall extends Stage {
  everyone: string;
  /** A channel that everybody sees, until an override hides it. */
  hidden: string;
}

export async function measurePrivate(scale: Scale, logLevel?: string): Promise<Findings> {
  using scratch = scratchFolder();
  const dataDir = join(scratch.path, "data");
  const hall = await found(dataDir, scale);
  const tokens = gatherReaders(dataDir, hall.serverId, scale.crowd);
  await using hearth = await startHearth({ dataDir, logLevel });
  const stage = { ...hall, origin: hearth.origin };
  const signedIn = await signIns({
    target: hearth.target,
    token: tokens[0]!,
    warmup: { seconds: scale.warmupSeconds },
    measured: { seconds: scale.seconds },
  });
  const { binds, here, beside } = await changes(hearth, stage, tokens, scale);
  const { privateChannels, privateServerChannels } = scale;
  const size = `${privateServerChannels} channels, ${privateChannels} with overrides`;
  const people = scale.crowd.toLocaleString("en-US");
  return {
    rows: [
      {
        ...{ workload, figure: `signing in, a server with ${size}`, value: signedIn.p50Ms, unit: "ms" },
        target: { atMost: 100 },
      },
      {
        workload,
        figure: "processor time of that",
        value: signedIn.serverCpuMs / signedIn.answers,
        unit: "ms",
      },
      {
        ...{ workload, figure: `an override binds ${people} sockets, longest`, value: Math.max(...binds) },
        ...{ unit: "ms", target: { atMost: 1000 } },
      },
      { workload, figure: "the same, median", value: median(binds), unit: "ms" },
      { ...longest("post beside it", beside), target: { atMost: 100 } },
      { ...longest("post to all of them", here), target: { atMost: 100 } },
    ],
    raw: { workload, signedIn, binds, here, beside },
  };
}

function longest(of: string, waits: readonly number[]) {
  return { workload, figure: `longest wait of a ${of}`, value: Math.max(...waits), unit: "ms" };
}

async function found(dataDir: string, scale: Scale): Promise<Hall> {
  await using hearth = await startHearth({ dataDir });
  const stage = await setStage(hearth.origin, 2);
  const { origin, people, serverId: server_id } = stage;
  const owner = people[0]!;
  const post = (path: string, body: unknown) => call<{ id: string }>(origin, owner, "POST", path, body);
  const [first] = await call<{ id: string }[]>(origin, owner, "GET", `/servers/${server_id}/roles`);
  const everyone = first!.id;
  const roles: string[] = [];
  for (let i = 1; i < scale.privateRoles; i++)
    roles.push((await post(`/servers/${server_id}/roles`, { name: `role ${i}`, position: 1 })).id);
  let hidden = "";
  for (let i = 1; i < scale.privateServerChannels; i++) {
    const isPrivate = i % 2 === 0;
    const overrides = [
      { id: everyone, kind: "role", deny: isPrivate ? VIEW_CHANNEL : SEND_MESSAGES },
      ...roles.map((id) => ({ id, kind: "role", allow: VIEW_CHANNEL })),
    ];
    const more = i <= scale.privateChannels ? { overrides } : {};
    hidden = (await post("/channels", { server_id, name: `hall-${i}`, ...more })).id;
  }
  return { ...stage, everyone, hidden };
}

/** How often somebody posts in the server with private channels, and in a small one beside it, in milliseconds. */
const postsEveryMs = { here: 1000, beside: 100 };

interface Changes {
  /** How long each change took until the last observer heard of it, in milliseconds. */
  binds: number[];
  /** How long posts waited for their answers meanwhile. */
  here: number[];
  beside: number[];
}

/** Hides a channel from everybody and shows it again, while people post. */
async function changes(
  { target, origin }: RunningServer,
  stage: Hall,
  tokens: readonly string[],
  scale: Scale,
): Promise<Changes> {
  const others = tokens.slice(observers);
  const listeners = { path: "/ws", serverId: stage.serverId, tokens: others, sockets: others.length };
  const held = await holdSockets({ target, listeners: { ...listeners, mayMiss: true } });
  if (held.open !== others.length) throw new Error(`only ${held.open} sockets are open`);
  const ears = await Promise.all(tokens.slice(0, observers).map((token) => Ear.open(origin, token)));
  const small = await setStage(origin, 1, "neighbour");
  const isOver = new AbortController();
  const posting = [
    keepPosting(stage, postsEveryMs.here, isOver.signal),
    keepPosting(small, postsEveryMs.beside, isOver.signal),
  ] as const;
  await Bun.sleep(scale.warmupSeconds * 1000);
  const binds: number[] = [];
  for (let i = 0; i < 2 * scale.rounds; i++) {
    const isHidden = i % 2 === 0;
    const since = performance.now();
    await override(stage, stage.people[0]!, isHidden ? VIEW_CHANNEL : 0);
    const type = isHidden ? "CHANNEL_DELETE" : "CHANNEL_CREATE";
    const heardAt = await Promise.all(ears.map((ear) => ear.next(type, stage.hidden)));
    binds.push(Math.max(...heardAt) - since);
    await Bun.sleep(100);
  }
  isOver.abort();
  const [here, beside] = await Promise.all(posting);
  for (const ear of ears) ear.close();
  const lost = await held.release();
  if (lost > 0) throw new Error(`${lost} sockets were lost`);
  return { binds, here, beside };
}

/** Posts at a steady rate until `isOver`. Returns how long each post waited for its answer, in milliseconds. */
async function keepPosting(
  { origin, people, channelId }: Stage,
  everyMs: number,
  isOver: AbortSignal,
): Promise<number[]> {
  const waited: number[] = [];
  for (let due = performance.now(); !isOver.aborted; due += everyMs) {
    await Bun.sleep(Math.max(0, due - performance.now()));
    await call(origin, people[0]!, "POST", `/channels/${channelId}/messages`, { content: "Anybody here?" });
    // Counted from when it was due: a post that had to wait for the one before it waited, too.
    waited.push(performance.now() - due);
  }
  return waited;
}

async function override({ origin, hidden, everyone }: Hall, owner: Person, deny: number): Promise<void> {
  await call(origin, owner, "PUT", `/channels/${hidden}/overrides/${everyone}`, { kind: "role", deny });
}

/** A socket of which each frame's moment is known. */
class Ear {
  readonly #socket: WebSocket;
  readonly #heard: { type: string; id: unknown; at: number }[] = [];
  #wake = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const { type, data: body } = JSON.parse(String(data)) as { type: string; data?: { id?: unknown } };
      this.#heard.push({ type, id: body?.id, at: performance.now() });
      this.#wake();
    };
  }

  static async open(origin: string, token: string): Promise<Ear> {
    const socket = new WebSocket(`${origin.replace("http", "ws")}/ws`);
    const ear = new Ear(socket);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    socket.send(JSON.stringify({ type: "AUTH", data: { token } }));
    await ear.next("READY");
    return ear;
  }

  /** Returns when the next such frame came, in milliseconds of the monotonic clock; with `id`, one about that thing. */
  async next(type: string, id?: string): Promise<number> {
    for (;;) {
      for (let frame = this.#heard.shift(); frame; frame = this.#heard.shift())
        if (frame.type === type && (id === undefined || frame.id === id)) return frame.at;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket.close();
  }
}
