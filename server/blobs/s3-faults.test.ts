// Which answers of an S3 store stop a start, and after which the start goes on and the store is retried.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type FaultyStore, type Refused, startFaultyStore } from "../../tests/doubles/faulty-store.ts";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import { CannotStart } from "../cannot-start.ts";
import { readConfig } from "../config/config.ts";
import { openBlobs } from "./open.ts";

const stopping: [number, string, string][] = [
  [404, "NoSuchBucket", "it has no such bucket"],
  [400, "InvalidBucketName", "it takes no such name of a bucket"],
  [403, "InvalidAccessKeyId", "it does not know S3_ACCESS_KEY_ID"],
  [404, "XAdminUserNotFound", "it does not know S3_ACCESS_KEY_ID"],
  [401, "Unauthorized", "it does not take S3_ACCESS_KEY_ID"],
  [403, "SignatureDoesNotMatch", "S3_SECRET_ACCESS_KEY is not that of"],
  [403, "AccessDenied", "S3_ACCESS_KEY_ID may not"],
  [400, "AuthorizationHeaderMalformed", "it expects another S3_REGION"],
  [400, "InvalidRegionName", "it expects another S3_REGION"],
  [301, "PermanentRedirect", "check S3_URL and S3_REGION"],
];

const waitedFor: [Refused, string][] = [
  [{ status: 400, code: "XMinioAdminBucketQuotaExceeded" }, "it is full"],
  [{ status: 403, code: "QuotaExceeded" }, "it is full"],
  [
    { status: 403, code: "AccessDenied", message: "Cannot upload files, storage cap exceeded." },
    "it is full",
  ],
  [{ status: 507, code: "XMinioStorageFull" }, "it is full"],
  [{ status: 507 }, "it is full"],
  [{ status: 403, code: "RequestTimeTooSkewed" }, "its clock and that of this machine differ"],
  [{ status: 400, code: "RequestTimeout" }, "it answers 400 RequestTimeout"],
  [{ status: 409, code: "OperationAborted" }, "it answers 409 OperationAborted"],
  [{ status: 413, code: "EntityTooLarge" }, "it answers 413 EntityTooLarge"],
  [{ status: 429, code: "TooManyRequests" }, "it answers 429 TooManyRequests"],
  [{ status: 503, code: "SlowDown" }, "it answers 503 SlowDown"],
  [{ status: 307, code: "TemporaryRedirect" }, "it answers 307 TemporaryRedirect"],
  [{ status: 400, code: "SomethingOfTomorrow" }, "it answers 400 SomethingOfTomorrow"],
  [{ status: 403 }, "S3_ACCESS_KEY_ID may not"],
  ...[400, 401, 404, 405, 408, 409, 413, 421, 429, 500, 502, 503, 504].map((status): [Refused, string] => [
    { status },
    `it answers ${status}`,
  ]),
];

const named = ({ status, code = "without a word" }: Refused) => `${status} ${code}`;

describe("a store that answers a start with", () => {
  let store: FaultyStore;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = temporaryFolder();
    store = await startFaultyStore("http://127.0.0.1:9");
  });
  afterAll(async () => {
    await store[Symbol.asyncDispose]();
    folder.remove();
  });
  const open = (fault: Refused) => {
    store.fault = fault;
    const S3_URL = `${store.url}/bucket`;
    const keys = { S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
    return openBlobs(readConfig([], { DATA_DIR: folder.path, S3_URL, ...keys }), "this one");
  };

  for (const [status, code, says] of stopping)
    test(`${status} ${code}: it is told at once`, async () => {
      const error = await open({ status, code }).catch((reason: Error) => reason as Error);
      expect(error).toBeInstanceOf(CannotStart);
      expect((error as Error).message).toContain(says);
    });

  for (const [fault, says] of waitedFor)
    test(`${named(fault)}${fault.message ? " and a limit" : ""}: it is waited for, and the reason is told`, async () => {
      const blobs = await open(fault);
      expect(await blobs.trouble()).toContain(says);
      blobs.close();
    });
});
