// Large answers being sent: what counts, until when, and which are given up when they are too much.
import { beforeEach, expect, spyOn, test } from "bun:test";
import { makeHouse } from "../../tests/house/open/engines.ts";
import type { Data } from "../blobs/blobs.ts";
import { Unread } from "./unread.ts";

const kibibyte = 1024;
const page = (kibibytes: number) => "x".repeat(kibibytes * kibibyte);
const read = (body: Data) => new Response(body).text();

let counted = { unreadBytes: 0 };
beforeEach(() => {
  counted = { unreadBytes: 0 };
});

test("an answer below 64 KiB is sent as it is and counts nothing", () => {
  const unread = new Unread(100 * kibibyte, counted);
  const small = page(63);
  const blob = new Blob([small]);
  expect(unread.bodyOf(small, "alice")).toBe(small);
  expect(unread.bodyOf(blob, "alice")).toBe(blob);
  const bytes = new Uint8Array(63 * kibibyte);
  expect(unread.bodyOf(bytes, "alice")).toBe(bytes);
  expect(counted.unreadBytes).toBe(0);
});

test("a large one counts in bytes until it is read to its end, and comes whole", async () => {
  const unread = new Unread(4096 * kibibyte, counted);
  const text = "🦊 fox ".repeat(20_000);
  for (const whole of [text, new Blob([text]), new TextEncoder().encode(text)]) {
    const body = unread.bodyOf(whole, "alice");
    expect(counted.unreadBytes).toBe(Buffer.byteLength(text));
    expect(await read(body)).toBe(text);
    expect(counted.unreadBytes).toBe(0);
  }
});

test("it is handed over as it is taken, not before", async () => {
  const unread = new Unread(4096 * kibibyte, counted);
  const body = unread.bodyOf(page(1000), "alice") as ReadableStream<Uint8Array>;
  const reader = body.getReader();
  const { value } = await reader.read();
  expect(value?.length).toBe(16 * kibibyte);
  // A piece that was handed over keeps no more memory than its own.
  expect(value?.buffer.byteLength).toBe(16 * kibibyte);
  expect(counted.unreadBytes).toBe(1000 * kibibyte);
});

test("it counts no more when its connection goes away", async () => {
  const unread = new Unread(4096 * kibibyte, counted);
  const body = unread.bodyOf(page(1000), "alice") as ReadableStream<Uint8Array>;
  await body.cancel();
  expect(counted.unreadBytes).toBe(0);
});

test("past the bound whoever has the most loses their oldest; the others get theirs whole", async () => {
  const unread = new Unread(1000 * kibibyte, counted);
  const first = unread.bodyOf(page(250), "bob");
  const greedy = [1, 2, 3, 4, 5].map(() => unread.bodyOf(page(250), "mallory"));
  const last = unread.bodyOf(page(300), "carol");
  expect(counted.unreadBytes).toBe(800 * kibibyte);
  for (const lost of greedy.slice(0, 4)) await expect(read(lost)).rejects.toBeUndefined();
  for (const body of [first, ...greedy.slice(4)]) expect(await read(body)).toBe(page(250));
  expect(await read(last)).toBe(page(300));
  expect(counted.unreadBytes).toBe(0);
});

test("an answer larger than the bound comes all the same, alone", async () => {
  const unread = new Unread(100 * kibibyte, counted);
  const before = unread.bodyOf(page(90), "bob");
  const body = unread.bodyOf(page(500), "alice");
  await expect(read(before)).rejects.toBeUndefined();
  expect(await read(body)).toBe(page(500));
});

test("of what comes from elsewhere only a piece counts, and its source is closed when it is given up", async () => {
  const unread = new Unread(600 * kibibyte, counted);
  const closed: string[] = [];
  const coming = (name: string, pieces: string[]) =>
    new ReadableStream<Uint8Array>(
      {
        pull(sent) {
          const piece = pieces.shift();
          if (piece === undefined) sent.close();
          else sent.enqueue(new TextEncoder().encode(piece));
        },
        cancel: () => void closed.push(name),
      },
      { highWaterMark: 0 },
    );
  const [first, second, third] = ["a", "b", "c"].map((name) =>
    unread.bodyOf(coming(name, [page(100), page(400)]), "alice"),
  );
  expect(counted.unreadBytes).toBe(512 * kibibyte);
  expect(closed).toEqual(["a"]);
  await expect(read(first!)).rejects.toBeUndefined();
  for (const body of [second!, third!]) expect(await read(body)).toBe(page(500));
  expect(counted.unreadBytes).toBe(0);
  const broken = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error("not for people")) });
  await expect(read(unread.bodyOf(broken, "alice"))).rejects.toBeUndefined();
  expect(counted.unreadBytes).toBe(0);
});

test("the answers of a house count, by caller or by address, and no more when they are read", async () => {
  const house = await makeHouse("SQLite", { BACKLOG_MIB: "4" }, undefined, true);
  await house.open();
  using bodies = spyOn(Unread.prototype, "bodyOf");
  const alice = await house.person("alice");
  const { general } = await alice.makeServer();
  for (let i = 0; i < 20; i++) await alice.say(general.id, "x".repeat(4000));
  bodies.mockClear();
  const { body } = await alice.get<unknown[]>(`/channels/${general.id}/messages`);
  expect(body).toHaveLength(20);
  await (await fetch(`${house.url}/api/v1/instance`)).text();
  const [ofAlice, ofStranger] = bodies.mock.calls;
  expect([ofAlice?.[1], ofStranger?.[1]]).toEqual([alice.id, expect.stringMatching(/^(127\.0\.0\.1|::1)/)]);
  expect(bodies.mock.results[0]?.value).toBeInstanceOf(ReadableStream);
  expect(house.running.house.metrics.unreadBytes).toBe(0);
  // A quarter of the bound for sockets: of two answers without a reader, the first gives way.
  const unread = bodies.mock.contexts[0] as Unread;
  const first = unread.bodyOf(page(600), "bob");
  unread.bodyOf(page(600), "bob");
  expect(house.running.house.metrics.unreadBytes).toBe(600 * kibibyte);
  await expect(read(first as Data)).rejects.toBeUndefined();
  await house.end();
});
