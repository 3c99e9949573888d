// Rate limit cost of posts and edits: one call, or more for a text with many names.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { costOf } from "../../server/caller/dear.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { createMessage, updateMessage } from "./contract.ts";

let house: TestHouse;
beforeAll(async () => {
  // The rate is so low that hardly a call is refilled while a test runs.
  house = await makeHouse("SQLite", { RATE_LIMITS: "on", RATE_ALL: "1/100", LOG_LEVEL: "silent" });
  await house.open();
});
afterAll(() => house.end());

const tenNames = "@ann @bob @cem @dan @eva @fay @gil @hal @ida @jo ";

/** The remaining calls of a person. A post's own headers are those of the rate of posts. */
async function left(person: TestPerson): Promise<number> {
  return Number((await person.get("/auth/me")).headers.get("x-ratelimit-remaining"));
}

/** Returns the number of calls that ten calls cost. */
async function drawnByTen(person: TestPerson, call: (number: number) => Promise<unknown>): Promise<number> {
  const before = await left(person);
  const begun = performance.now();
  await Promise.all(Array.from({ length: 10 }, (_, number) => call(number)));
  const after = await left(person);
  const cameBack = (performance.now() - begun) / 1000;
  // The check afterwards is a call, too.
  return Math.round(before - after - 1 + cameBack);
}

for (const { content, drawn } of [
  { content: "Good morning", drawn: 10 },
  { content: tenNames, drawn: 10 },
  { content: tenNames.repeat(10), drawn: 30 },
]) {
  test(`ten posts with ${content.split("@").length - 1} names draw ${drawn} calls, and so do ten corrections`, async () => {
    const writer = await house.person(`writer${drawn}${content.length}`);
    const { general } = await writer.makeServer();
    const posted: string[] = [];
    const post = async (number: number) => {
      const { status, body } = await writer.post(`/channels/${general.id}/messages`, {
        content: `${content} ${number}`,
      });
      expect(status).toBe(201);
      posted.push(String(body.id));
    };
    const correct = async (number: number) => {
      const body = { content: `${content} once more` };
      expect((await writer.patch(`/messages/${posted[number]}`, body)).status).toBe(200);
    };
    expect(Math.abs((await drawnByTen(writer, post)) - drawn)).toBeLessThanOrEqual(1);
    expect(Math.abs((await drawnByTen(writer, correct)) - drawn)).toBeLessThanOrEqual(1);
  });
}

test("a page draws one call for each 128 KiB of its answer, and is sent where fewer are left", async () => {
  const reader = await house.person("reader");
  const { general } = await reader.makeServer();
  const path = `/channels/${general.id}/messages`;
  const read = async () => expect((await reader.get(path)).status).toBe(200);
  expect(Math.abs((await drawnByTen(reader, read)) - 10)).toBeLessThanOrEqual(1);
  // 160,000 UTF-16 code units, in which a text's length is counted
  for (let posted = 0; posted < 20; posted++)
    expect((await reader.post(path, { content: "🐸".repeat(4000) })).status).toBe(201);
  expect(Math.abs((await drawnByTen(reader, read)) - 20)).toBeLessThanOrEqual(1);
  while ((await left(reader)) > 3) await read();
  await read();
  expect(await left(reader)).toBeLessThanOrEqual(1);
});

test("what a text draws goes by its `@`, up to the most that is declared", () => {
  for (const operation of [createMessage, updateMessage]) {
    const of = (content: string) => costOf(operation as never, undefined, { content });
    expect(["", "Good morning.", tenNames.repeat(4)].map(of)).toEqual([1, 1, 1]);
    expect(of(`${tenNames.repeat(4)}@ann`)).toBe(2);
    expect(of("@".repeat(4000))).toBe(operation.cost?.worst ?? 0);
  }
});
