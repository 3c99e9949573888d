// A stream alone: whatever order it is told in, events go out by number, each once, and then it comes to rest.
import { expect, test } from "bun:test";
import type { LoggedEvent } from "../bus/bus.ts";
import { FanOutShare } from "./fan-out-share.ts";
import { Socket } from "./socket.ts";
import { type Joiner, Stream } from "./stream.ts";

function event(seq: number, touches: string[] = [], frame = `{"seq":${seq}}`): LoggedEvent {
  return {
    kind: "logged",
    serverId: "s",
    seq,
    frame,
    audience: "members",
    structural: false,
    touches,
    ends: null,
  };
}

/** A stream over a log; notes in order what it does. */
function streamOver(log: readonly LoggedEvent[], head: number) {
  const notes: string[] = [];
  let fails = 0;
  const stream = new Stream("s", Promise.resolve(head), {
    share: new FanOutShare(),
    publish: ({ seq }) => notes.push(`out ${seq}`),
    send: ({ seq }, followers) => notes.push(`out ${seq} to ${followers.length}`),
    concerned: (_, followers) => followers,
    async settle({ seq }, followers) {
      await Bun.sleep(5);
      notes.push(`settled ${seq} for ${followers.length}`);
    },
    went: ({ followers }, { seq }) => notes.push(`went ${seq} to ${followers.size}`),
    passed: ({ seq }) => notes.push(`passed ${seq}`),
    rested: () => notes.push("rested"),
    async read(after, upTo) {
      if (fails-- > 0) throw new Error("the database is away");
      return log.filter(({ seq }) => seq > after && seq <= upTo);
    },
  });
  const until = async (last: string) => {
    while (notes.at(-1) !== last) await Bun.sleep(1);
    return notes;
  };
  return { stream, until, notes, failing: (times: number) => (fails = times) };
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
