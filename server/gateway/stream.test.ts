// A stream alone: in whatever order events arrive, they go out by number, each once, and then the stream comes to rest.
import { expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import type { LoggedEvent } from "../bus/bus.ts";
import { isStillTrue } from "./beginnings.ts";
import { FanOutShare } from "./fan-out-share.ts";
import { Socket } from "./socket.ts";
import { type Joiner, mostMissed, Stream } from "./stream.ts";

function event(seq: number, touches: string[] = [], frame = `{"seq":${seq}}`): LoggedEvent {
  return {
    kind: "logged",
    stream: "server:s",
    seq,
    frame,
    audience: "members",
    forgets: [],
    version: undefined,
    touches,
    ends: null,
  };
}

/** The stream's callbacks for an event, each of which may fail. */
const deeds = ["concerned", "settle", "publish", "went", "passed"] as const;
type Deed = (typeof deeds)[number];

/** A stream over a log; records its actions in order. For event 2, `failingDeed` fails. */
function streamOver(log: readonly LoggedEvent[], head: number, failingDeed?: Deed) {
  const notes: string[] = [];
  let fails = 0;
  const attempt = (deed: Deed, { seq }: LoggedEvent) => {
    if (deed === failingDeed && seq === 2) throw new Error(`${deed} fails`);
  };
  const stream = new Stream("server:s", Promise.resolve(head), {
    share: new FanOutShare(),
    publish(event) {
      attempt("publish", event);
      notes.push(`out ${event.seq}`);
    },
    send: ({ seq }, followers) => notes.push(`out ${seq} to ${followers.length}`),
    concerned(event, followers) {
      attempt("concerned", event);
      return followers;
    },
    async settle(event, followers) {
      await Bun.sleep(5);
      attempt("settle", event);
      notes.push(`settled ${event.seq} for ${followers.length}`);
    },
    went({ followers }, event) {
      attempt("went", event);
      notes.push(`went ${event.seq} to ${followers.size}`);
    },
    passed(event) {
      attempt("passed", event);
      notes.push(`passed ${event.seq}`);
    },
    rested: () => notes.push("rested"),
    async read(after, upTo) {
      if (fails-- > 0) throw new Error("the database is away");
      return log.filter(({ seq }) => seq > after && seq <= upTo);
    },
    failed({ seq }, error) {
      notes.push(`failed ${seq}: ${(error as Error).message}`);
      stream.followers.clear();
    },
  });
  const untilNoted = async (last: string) => {
    await until(() => notes.at(-1) === last, `it never comes to: ${last}`);
    return notes;
  };
  return { stream, until: untilNoted, notes, failing: (times: number) => (fails = times) };
}

test("later news waits for earlier; what one changes goes ahead of it", async () => {
  const { stream, until } = streamOver([], 1);
  stream.followers.add(new Socket(undefined, "127.0.0.1"));
  for (const each of [event(3), event(1), event(2, ["somebody"])]) stream.offer(each);
  await stream.ready;
  const notes = await until("rested");
  expect(notes).toEqual(["passed 1", "settled 2 for 1", "out 2", "went 2 to 1", "out 3", "rested"]);
});

test("news that never comes is taken from the log, however often the log cannot be read at first", async () => {
  const { stream, until, failing } = streamOver([event(1), event(2), event(3, ["somebody"])], 0);
  failing(3);
  stream.offer(event(4));
  const notes = await until("rested");
  expect(notes).toEqual(["out 1", "out 2", "out 3", "went 3 to 0", "out 4", "rested"]);
});

test("who begins to follow while something is being settled is not passed over", async () => {
  const { stream, until } = streamOver([], 0);
  stream.followers.add(new Socket(undefined, "127.0.0.1"));
  stream.offer(event(1, ["somebody"]));
  setTimeout(() => stream.followers.add(new Socket(undefined, "127.0.0.1")), 1);
  expect(await until("rested")).toEqual([
    "settled 1 for 1",
    "settled 1 for 1",
    "out 1",
    "went 1 to 2",
    "rested",
  ]);
});

test("what is long goes to some at a time; whoever comes meanwhile has it as a joiner, and is not told before it is out", async () => {
  const { stream, notes } = streamOver([], 0);
  await stream.ready;
  for (let i = 0; i < 8; i++) stream.followers.add(new Socket(undefined, "127.0.0.1"));
  const joiner: Joiner = { missed: [], missedLive: [] };
  stream.joiners.add(joiner);
  const news = event(1, [], "x".repeat(300_000));
  stream.offer(news);
  expect(joiner.missed).toEqual([news]);
  stream.followers.add(new Socket(undefined, "127.0.0.1"));
  const told = stream.reached(1).then(() => [...notes]);
  expect(await told).toEqual(["rested", ...Array(8).fill("out 1 to 1"), "rested"]);
});

test("who missed more than is collected is told nothing of it, and begins again; so much is told", async () => {
  const { stream } = streamOver([], 0);
  await stream.ready;
  const joiner: Joiner = { missed: [], missedLive: [] };
  stream.joiners.add(joiner);
  const view = { id: "s", stream: stream.key, json: "", seq: 0, at: 0, roleIds: [], held: new Set<string>() };
  const isTrue = () => isStillTrue("bob", [view], new Map([[stream.key, joiner]]));
  for (let seq = 1; seq <= mostMissed; seq++) stream.offer(event(seq));
  expect(isTrue()).toBe(true);
  for (let seq = mostMissed + 1; seq <= mostMissed + 2; seq++) stream.offer(event(seq));
  expect(isTrue()).toBe(false);
});

const courses: Record<Deed, readonly string[]> = {
  concerned: ["failed 2: concerned fails", "out 2", "went 2 to 0", "out 3", "rested"],
  settle: ["failed 2: settle fails", "out 2", "went 2 to 0", "out 3", "rested"],
  publish: ["settled 2 for 1", "failed 2: publish fails", "out 3", "rested"],
  went: ["settled 2 for 1", "out 2", "failed 2: went fails", "out 3", "rested"],
  passed: ["failed 2: passed fails", "out 3", "rested"],
};

for (const deed of deeds) {
  test(`when "${deed}" fails for an event, its followers begin again and the stream goes on`, async () => {
    const { stream, until } = streamOver([], deed === "passed" ? 2 : 1, deed);
    stream.followers.add(new Socket(undefined, "127.0.0.1"));
    stream.offer(event(2, ["somebody"]));
    stream.offer(event(3));
    await stream.ready;
    expect(await until("rested")).toEqual([...courses[deed]]);
    const joiner: Joiner = { missed: [], missedLive: [] };
    stream.joiners.add(joiner);
    stream.offer(event(4));
    expect(joiner.missed).toEqual([event(4)]);
    expect(stream.isIdle).toBe(false);
    stream.joiners.delete(joiner);
    expect(stream.isIdle).toBe(true);
  });
}

test("when an event that nobody's rights hang on cannot be published, those after it are", async () => {
  const { stream, until } = streamOver([], 1, "publish");
  await stream.ready;
  stream.offer(event(2));
  stream.offer(event(3));
  expect(await until("out 3")).toEqual(["rested", "failed 2: publish fails", "out 3"]);
});

test("who follows a stream that cannot tell what is written begins again, once for all that waits", async () => {
  const { stream, notes, until } = streamOver([], 0);
  await stream.ready;
  for (let seq = 2; seq <= 20; seq++) stream.offer(event(seq, [], "x".repeat(2 * 1024 * 1024)));
  const failures = () => notes.filter((note) => note.startsWith("failed"));
  expect(failures()).toEqual(["failed 18: more is written in a server than can be told to all who listen"]);
  stream.offer(event(1));
  await until("rested");
  expect(notes.filter((note) => note.startsWith("out"))).toHaveLength(20);
  expect(failures()).toHaveLength(1);
});
