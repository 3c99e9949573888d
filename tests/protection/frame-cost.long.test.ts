// T49, T53c: the cost of any frame that a client sends on the gateway stays within bounds, before and after signing in.
import { afterAll, beforeAll, describe, test } from "bun:test";
import { features } from "../../server/features.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { tellsProcessorTime } from "../house/machine/processor.ts";
import { Ear } from "../house/people/ear.ts";
import { nobodysId, TestPerson } from "../house/people/people.ts";
import { alphabets, dearestTexts } from "./dearest.ts";
import { expectWithinBounds, Meter } from "./meter.ts";

/** Bytes of one value in a frame of the largest size, with a little room for the rest of the frame. */
const room = 63 * 1024;

let folder: TemporaryFolder;
let server: ServerProcess;
let alice: TestPerson;
let meter: Meter;
beforeAll(async () => {
  folder = temporaryFolder();
  server = await startServer({ settings: { DATA_DIR: folder.path } });
  alice = await TestPerson.register(server, "alice");
  await alice.makeServer();
  meter = new Meter(server.pid, server.url);
  for (let i = 0; i < 200; i++) await alice.get("/auth/me");
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** Frames of this type whose data, or a part of it, is as expensive as possible. */
function* dearestFrames(type: string): Iterable<[title: string, text: string]> {
  const frame = (data: unknown) => JSON.stringify({ type, data });
  for (const [alphabet, signs] of Object.entries(alphabets)) {
    const text = signs.repeat(Math.floor(room / (Buffer.byteLength(JSON.stringify(signs)) - 2)));
    for (const name of ["channel_id", "status", "token", "muted"])
      yield [`${name}: ${alphabet}`, frame({ [name]: text })];
  }
  const streams = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [nobodysId.slice(0, -12) + String(i).padStart(12, "0"), 1]),
    );
  for (const count of [1000, 1400]) {
    const resume = { epoch: "e", streams: streams(count) };
    yield [`${count} streams`, frame({ resume })];
    yield [`${count} streams of somebody known`, frame({ token: alice.token, resume })];
  }
  for (const { title, value } of dearestTexts(frame({ channel_id: nobodysId }), room)) yield [title, value];
}

/** Sends a frame on a socket that has signed in, or as the first frame of another one; waits until it is handled. */
async function say(text: string, isKnown: boolean): Promise<void> {
  const ear = isKnown ? await alice.listen() : await Ear.connect(server.url);
  ear.socket.send(text);
  if (isKnown) ear.say("PING", {});
  await Promise.race([ear.closed, ear.until(({ type }) => ["PONG", "READY"].includes(type))]);
  ear.close();
  await ear.closed;
}

describe.skipIf(!tellsProcessorTime)("the dearest frame", () => {
  const types = features.flatMap(({ frames }) => frames ?? []).map(({ type }) => type);
  for (const type of ["AUTH", "PING", "NOTHING", ...types]) {
    for (const isKnown of [false, true]) {
      test(`of the type ${type}, ${isKnown ? "of somebody known" : "of a stranger"}, costs no more than a few milliseconds`, async () => {
        const from = meter.costs.length;
        await meter.measurePlain(() => alice.get("/auth/me"));
        for (const [title, text] of dearestFrames(type)) {
          await meter.measure(`${type} ${title}, ${isKnown ? "known" : "stranger"}`, () =>
            say(text, isKnown),
          );
        }
        expectWithinBounds(meter, from);
      });
    }
  }
});
