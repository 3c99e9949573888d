// Uploads of a message: immediate rejections, concurrency, and failures.
import { expect, test } from "bun:test";
import type { Attachment } from "../features/files/contract.ts";
import { kindOf } from "../features/files/kinds.ts";
import type { ErrorCode } from "../protocol/errors.ts";
import { limits } from "../protocol/limits.ts";
import { uploadExtensions } from "../protocol/upload-extensions.ts";
import { CallError } from "./call.ts";
import { problemOf } from "./file-problem.ts";
import { type Sending, Uploads } from "./uploads.ts";

/** A sender under control of the test, which decides when a file has arrived. */
function line() {
  const under: {
    name: string;
    finish(): void;
    fail(error: CallError): void;
    progress(sent: number): void;
  }[] = [];
  const cancelled: string[] = [];
  const send = (_: Blob, name: string, progress: (sent: number) => void): Sending => {
    const { promise, resolve, reject } = Promise.withResolvers<Attachment>();
    const attachment: Attachment = {
      url: `/files/${name}`,
      name,
      size: 1,
      content_type: "text/plain",
      width: null,
      height: null,
      preview_url: null,
      animated: false,
    };
    under.push({ name, finish: () => resolve(attachment), fail: reject, progress });
    return {
      done: promise,
      cancel: () => {
        cancelled.push(name);
        reject(new CallError(0, {}));
      },
    };
  };
  const sender = { problemOf, send };
  return { under, cancelled, sender, uploads: new Uploads(async () => sender) };
}

const file = (name: string) => new File(["x"], name);
const states = (uploads: Uploads) => uploads.all.map(({ state }) => state.is);
const settled = () => new Promise((resolve) => setTimeout(resolve));

test("a file that cannot be taken is told apart before anything is sent", async () => {
  expect(problemOf({ name: "film.mp4", size: limits.upload_bytes_max + 1 }, limits)).toBe("too big");
  expect(problemOf({ name: "film.mp4", size: limits.upload_bytes_max }, limits)).toBeUndefined();
  expect(problemOf({ name: "page.HTML", size: 1 }, limits)).toBe("type");
  expect(problemOf({ name: "Makefile", size: 1 }, limits)).toBe("type");
  expect(problemOf({ name: "PHOTO.JPG", size: 1 }, limits)).toBeUndefined();
  expect(problemOf({ name: "report.txt. ", size: 1 }, limits)).toBeUndefined();
  expect(problemOf({ name: "tool.exe.", size: 1 }, limits)).toBe("type");
  expect(problemOf({ name: "photo.png", size: 0 }, limits)).toBe("empty");
  expect(problemOf({ name: `${"n".repeat(252)}.txt`, size: 1 }, limits)).toBe("name");
  expect(problemOf({ name: `${"🦉".repeat(251)}.txt`, size: 1 }, limits)).toBeUndefined();
  const { uploads, under } = line();
  uploads.add("a", [file("page.html"), file("notes.txt")], limits);
  await settled();
  expect(states(uploads)).toEqual(["refused", "sending"]);
  expect(under.map(({ name }) => name)).toEqual(["notes.txt"]);
});

test("of empty files those are told apart that the server refuses: all but texts", () => {
  for (const extension of uploadExtensions) {
    const isTaken = kindOf({ found: "text", isEmpty: true }, extension) !== undefined;
    const problem = problemOf({ name: `a.${extension}`, size: 0 }, limits);
    expect([extension, problem]).toEqual([extension, isTaken ? undefined : "empty"]);
  }
});

test("two go at once, the next as soon as one has arrived, and progress is told", async () => {
  const { uploads, under } = line();
  uploads.add("a", [file("1.txt"), file("2.txt"), file("3.txt")], limits);
  await settled();
  expect(states(uploads)).toEqual(["sending", "sending", "waiting"]);
  under[0]?.progress(7);
  expect(uploads.all[0]?.state).toEqual({ is: "sending", sent: 7 });
  under[0]?.finish();
  await settled();
  expect(states(uploads)).toEqual(["done", "sending", "sending"]);
});

test("one message has room for ten; the rest is counted, and another channel has room of its own", () => {
  const { uploads } = line();
  const twelve = Array.from({ length: 12 }, (_, i) => file(`${i}.txt`));
  expect(uploads.add("a", twelve, limits)).toBe(2);
  expect(uploads.add("a", twelve, limits)).toBe(12);
  expect(uploads.add("b", twelve.slice(0, 3), limits)).toBe(0);
  expect(uploads.of("b")).toHaveLength(3);
});

test("what did not get through can be tried again, what was refused cannot; what is taken out is stopped", async () => {
  const { uploads, under, cancelled } = line();
  uploads.add("a", [file("1.txt"), file("2.txt"), file("3.txt")], limits);
  await settled();
  under[0]?.fail(new CallError(0, {}));
  under[1]?.fail(new CallError(415, { code: "unsupported_type", error: "No." }));
  await settled();
  expect(states(uploads)).toEqual(["failed", "refused", "sending"]);
  uploads.retry(uploads.all[0]?.id ?? "");
  expect(states(uploads)).toEqual(["sending", "refused", "sending"]);
  uploads.remove(uploads.all[2]?.id ?? "");
  await settled();
  expect(cancelled).toEqual(["3.txt"]);
  expect(states(uploads)).toEqual(["sending", "refused"]);
});

test("what a draft has kept stands there again and takes a place; a sent message takes along those of its channel alone", async () => {
  const { uploads, under, cancelled } = line();
  const watched: number[] = [];
  const end = uploads.subscribe(() => watched.push(uploads.all.length));
  const { url, ...attachment } = { url: "/files/kept.txt", name: "kept.txt", size: 7 };
  uploads.restore("a", []);
  expect(watched).toEqual([]);
  uploads.restore("a", [{ url, ...attachment } as Attachment]);
  expect(uploads.all).toMatchObject([{ ...attachment, state: { is: "done", attachment: { url } } }]);
  const ten = Array.from({ length: 10 }, (_, i) => file(`${i}.txt`));
  expect(uploads.add("a", ten, limits)).toBe(1);
  uploads.add("b", [file("other.txt")], limits);
  await settled();
  expect(under.map(({ name }) => name)).toEqual(["0.txt", "1.txt"]);
  uploads.clear("a");
  await settled();
  expect([uploads.of("a"), cancelled]).toEqual([[], ["0.txt", "1.txt"]]);
  expect(states(uploads)).toEqual(["sending"]);
  expect(under.map(({ name }) => name).slice(2)).toEqual(["other.txt"]);
  end();
  const { length } = watched;
  uploads.clear("b");
  expect(watched).toHaveLength(length);
});

/** By response: whether a retry with the same file may succeed. */
const mayWorkLater: [status: number, code: ErrorCode | "", mayWork: boolean][] = [
  [0, "", true],
  [401, "unauthenticated", true],
  [429, "rate_limited", true],
  [500, "internal", true],
  [502, "", true],
  [503, "unavailable", true],
  [400, "invalid_request", false],
  [403, "forbidden", false],
  [404, "not_found", false],
  [413, "too_large", false],
  [415, "unsupported_type", false],
];

test("what may work once there is a network, a server, time or a person who is signed in is not given up", async () => {
  for (const [status, code, mayWork] of mayWorkLater) {
    const { uploads, under } = line();
    uploads.add("a", [file("1.txt")], limits);
    await settled();
    under[0]?.fail(new CallError(status, { error: "No.", ...(code && { code }) }));
    await settled();
    expect([status, states(uploads)]).toEqual([status, [mayWork ? "failed" : "refused"]]);
  }
});

test("where the part that sends them did not come, each file says so and waits for another try", async () => {
  const { under, sender } = line();
  let isThere = false;
  const uploads = new Uploads(async () => {
    if (!isThere) throw new Error("Failed to fetch dynamically imported module");
    return sender;
  });
  uploads.add("a", [file("1.txt"), file("2.html")], limits);
  await settled();
  expect(uploads.all.map(({ state }) => state)).toEqual([
    { is: "failed", error: "not loaded" },
    { is: "failed", error: "not loaded" },
  ]);
  isThere = true;
  for (const { id } of uploads.all) uploads.retry(id);
  await settled();
  expect(states(uploads)).toEqual(["sending", "refused"]);
  expect(under.map(({ name }) => name)).toEqual(["1.txt"]);
});
