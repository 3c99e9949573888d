// A malicious S3 store: each request ends with a fault that names the store, and no other request is delayed.
import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { afterHead, MisbehavingBackends } from "../../tests/doubles/misbehaving-backends.ts";
import { endlessInterims } from "../../tests/doubles/misdeeds.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import { askedAtOnce } from "../../tests/house/scenes/asked-at-once.ts";
import { piecesOf } from "./blobs.ts";
import { S3Fault } from "./s3-faults.ts";
import { S3Objects } from "./s3-objects.ts";

const services = await MisbehavingBackends.open();
const interims = await MisbehavingBackends.open(endlessInterims);
afterAll(() => {
  services.close();
  interims.close();
});

const hourMs = 3600_000;
/** Timeouts longer than any test may take. */
const patient = { answerMs: hourMs, sendMs: hourMs };

function storeAt(url: string, clocks = { answerMs: 500, sendMs: 500 }): S3Objects {
  return new S3Objects({ url: `${url}/bucket`, region: "us-east-1", keyId: "key", secret: "secret" }, clocks);
}

const bytes = new Uint8Array(300_000).fill(7);
const body = { bytes: new Blob([bytes]), sha256: createHash("sha256").update(bytes).digest("hex") };

async function read(store: S3Objects): Promise<number> {
  let size = 0;
  for await (const piece of piecesOf((await store.find("name"))?.bytes(0, bytes.length - 1) ?? ""))
    size += piece.length;
  return size;
}

const calls: Record<string, (store: S3Objects) => Promise<unknown>> = {
  list: (store) => store.all().next(),
  read,
  write: (store) => store.put("name", body),
  delete: (store) => store.remove("name"),
};

/** A misdeed whose connection closes only seconds later: the last test waits for it. */
const deaf = "no ear for the request";

/** Misdeeds whose answer is decided by its head: the body is not waited for. */
const isGoodHead =
  /(silence|closed|reset) .*(body|chunk)|(body|chunk|chunks|trailers) (byte by byte|without end)|chunk/;

/** How a call ends: "done", "fault", or another error as text. */
function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (error) =>
      error instanceof S3Fault && error.message.startsWith("the S3 store at 127.0.0.1")
        ? "fault"
        : String(error),
  );
}

onOneProcess("an S3 store that means ill", (house) => {
  for (const [what, call] of Object.entries(calls))
    test(`each misdeed, all at once, to ${what}: a fault in time, or done where the head says so`, async () => {
      // A head without a body is a complete answer to HEAD, too.
      const mayKeep = what === "read" ? services.services.map((each) => each.what) : [deaf];
      const found = await askedAtOnce(house(), services, ({ url }) => outcome(call(storeAt(url))), mayKeep);
      for (const [misdeed, came] of Object.entries(found)) {
        const readsHead = what === "write" || what === "delete";
        const mayBeDone = readsHead && isGoodHead.test(misdeed);
        expect([misdeed, came]).toEqual([
          misdeed,
          mayBeDone ? expect.stringMatching(/^(done|fault)$/) : "fault",
        ]);
      }
    });

  for (const [what, call] of Object.entries(calls))
    test(`interim answers without end, to ${what}, are ended by their count, whatever time there is`, async () => {
      const found = await askedAtOnce(house(), interims, ({ url }) => outcome(call(storeAt(url, patient))));
      expect(Object.values(found)).toEqual(endlessInterims.map(() => "fault"));
    });

  test("100 Continue before the final answer, of a store that waits for the body, is no fault", async () => {
    const heard: string[] = [];
    const port = await services.listen("100 Continue", (socket) =>
      afterHead(socket, (head) => {
        heard.push(head.slice(0, head.indexOf(" ")));
        const length = head.startsWith("HEAD") ? bytes.length : 0;
        socket.write("HTTP/1.1 100 Continue\r\n\r\n");
        const final = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
        setTimeout(() => socket.end(final), 50);
      }),
    );
    const store = storeAt(`http://127.0.0.1:${port}`, patient);
    await store.put("name", body);
    expect((await store.find("name"))?.size).toBe(bytes.length);
    await store.remove("name");
    expect(heard).toEqual(["PUT", "HEAD", "DELETE"]);
  });
});

test("a store without an ear hears in the end that its connections are over", () =>
  until(() => !services.open.includes(deaf), "a connection is still open"));
