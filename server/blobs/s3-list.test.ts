// Parsing of a store's object list: the entries read from it, and that no text is expensive to parse.
import { afterAll, expect, test } from "bun:test";
import { MisbehavingBackends } from "../../tests/doubles/misbehaving-backends.ts";
import { dearBodies } from "../../tests/doubles/misdeeds.ts";
import { processorMs } from "../../tests/house/machine/processor.ts";
import { listed } from "./s3-list.ts";
import { S3Objects } from "./s3-objects.ts";

const services = await MisbehavingBackends.open(dearBodies);
afterAll(() => services.close());

/** Less than a bystander notices, in milliseconds; two of these bodies took seconds. */
const mostMs = 400;

const entry = (key: string) =>
  `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05Z</LastModified><Size>7</Size></Contents>`;
const list = (entries: string) => `<?xml version="1.0"?><ListBucketResult>${entries}</ListBucketResult>`;
const namesIn = (xml: string) => listed(xml, "in/")?.blobs.map(({ name }) => name);

test("each entry has its name without the folder, its size and its time", () => {
  const xml = list(`<IsTruncated>true</IsTruncated>${entry("in/a")}\n${entry("in/b&amp;&#99;&#x64;")}`);
  const writtenAt = Date.UTC(2026, 0, 2, 3, 4, 5);
  expect(listed(xml, "in/")).toEqual({
    blobs: [
      { name: "a", size: 7, writtenAt },
      { name: "b&cd", size: 7, writtenAt },
    ],
    isCut: true,
  });
  expect(listed(list(""), "in/")).toEqual({ blobs: [], isCut: false });
});

test("what is no character stays as it is", () => {
  expect(namesIn(list(entry("in/&#99999999;&no;")))).toEqual(["&#99999999;&no;"]);
});

test("of more than a thousand entries the rest is asked for again", () => {
  const found = listed(list(entry("in/a").repeat(1001)), "in/");
  expect([found?.blobs.length, found?.isCut]).toEqual([1000, true]);
  const all = listed(list(entry("in/a").repeat(1000)), "in/");
  expect([all?.blobs.length, all?.isCut]).toEqual([1000, false]);
});

test("what is no list is none: another page, an entry without an end or a name", () => {
  for (const text of ["", "<html></html>", list("<Contents>"), list("<Contents></Contents>")])
    expect(listed(text, "")).toBeUndefined();
});

for (const { what, url } of services.services) {
  const settings = { url: `${url}/bucket`, region: "us-east-1", keyId: "key", secret: "secret" };
  const calls = {
    look: (store: S3Objects) => store.look(),
    list: (store: S3Objects) => store.all().next(),
  };
  for (const [name, call] of Object.entries(calls))
    test(`${what}, to ${name}: a fault, and cheap`, async () => {
      const before = processorMs();
      const came = await call(new S3Objects(settings)).then(
        () => "done",
        ({ message }: Error) => message,
      );
      expect(processorMs() - before).toBeLessThan(mostMs);
      expect(came).toContain("the S3 store at 127.0.0.1");
    });
}
