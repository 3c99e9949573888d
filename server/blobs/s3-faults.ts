// Errors of an S3 store, as sentences for the operator that say what to do.
import { textOf } from "../ask-by-http.ts";
import { StorageFault } from "../database/write-gate.ts";
import { Late } from "../in-time.ts";
import type { Answer } from "../wire/answer.ts";

/** An error of the S3 store; the message may be shown, and begins with a small letter. */
export class S3Fault extends StorageFault {
  override name = "S3Fault";
  /** True if the whole store is down: it cannot be reached, or fails. */
  readonly isAway: boolean;
  /** True if the store has rejected the key, bucket or region in the settings. */
  readonly isOfSettings: boolean;
  /** The store's own error code; empty without one. */
  readonly code: string;

  constructor(sentence: string, options: Partial<S3Fault> = {}) {
    super(sentence, { cause: options.cause });
    this.isAway = options.isAway ?? false;
    this.isOfSettings = options.isOfSettings ?? false;
    this.code = options.code ?? "";
  }
}

/**
 * Sentences by the error code of the store's answer. These codes alone stop a start: each says that the store rejects a
 * setting. Stores have many other codes for temporary errors (a quota, a deadline, a conflict, too many requests).
 */
const meanings: Readonly<Record<string, string>> = {
  NoSuchBucket: "it has no such bucket: make it, or check S3_URL",
  InvalidBucketName: "it takes no such name of a bucket: check S3_URL",
  InvalidAccessKeyId: "it does not know S3_ACCESS_KEY_ID",
  // Versity's code for the same.
  XAdminUserNotFound: "it does not know S3_ACCESS_KEY_ID",
  // R2's code for the same.
  Unauthorized: "it does not take S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY",
  SignatureDoesNotMatch: "S3_SECRET_ACCESS_KEY is not that of S3_ACCESS_KEY_ID",
  AccessDenied: "S3_ACCESS_KEY_ID may not list, read, write or delete there",
  AuthorizationHeaderMalformed: "it expects another S3_REGION",
  // R2's code for the same.
  InvalidRegionName: "it expects another S3_REGION",
  PermanentRedirect: "the bucket is in another region: check S3_URL and S3_REGION",
};

const full = "it is full";

/** Sentences for errors that may pass by themselves. */
const passing: Readonly<Record<string, string>> = {
  RequestTimeTooSkewed: "its clock and that of this machine differ: set them right",
  QuotaExceeded: full,
  XMinioAdminBucketQuotaExceeded: full,
  InsufficientStorage: full,
  XMinioStorageFull: full,
};

/**
 * Codes by status, for answers without an error code. An answer to HEAD never has one, nor does that of a proxy that
 * refuses a request itself or has lost the store behind it: such a code explains the fault, and stops no start.
 */
const codeByStatus: Readonly<Record<number, string>> = { 403: "AccessDenied", 507: "InsufficientStorage" };
/** Statuses of an overloaded service. */
const busy: readonly number[] = [408, 425, 429];

/** The most bytes of an error that are read: errors are short, but a proxy in between may send anything. */
export const longestFault = 16 * 1024;

/** The fault that an answer describes; `what` is the operation, as in "refuses to list". */
export function faultIn(answer: Answer, host: string, what: string): S3Fault {
  const text = textOf(answer);
  const told = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1];
  const { status } = answer;
  const code = told ?? codeByStatus[status] ?? "";
  const region = /<Region>([\w-]{1,64})<\/Region>/.exec(text)?.[1];
  const isFull = tellsOfLimit(text);
  const known = isFull ? full : (meanings[code] ?? passing[code]);
  const hasNoTime = status >= 500 || busy.includes(status);
  const also = region ? ` (${region})` : "";
  return new S3Fault(
    `the S3 store at ${host} refuses to ${what}: ${known ?? `it answers ${status} ${code}`.trimEnd()}${also}`,
    {
      isAway: hasNoTime && known === undefined,
      isOfSettings: told !== undefined && told in meanings && !isFull,
      code,
    },
  );
}

/** True if a refusal is about a limit: some stores answer AccessDenied, and name the quota in the message only. */
function tellsOfLimit(text: string): boolean {
  const message = /<Message>([^<]*)/.exec(text)?.[1] ?? "";
  // A single expression for both words would search for the second one behind each match of the first.
  const at = message.search(/\b(?:cap|quota)\b/i);
  return at >= 0 && /\bexceeded\b/i.test(message.slice(at));
}

/** True if a request failed at its deadline. */
export function isLate(error: unknown): boolean {
  return error instanceof Late;
}

/** The fault of a request that got no answer. */
export function noAnswer(error: unknown, host: string): S3Fault {
  const says = isLate(error) ? "does not answer" : "cannot be reached";
  return new S3Fault(`the S3 store at ${host} ${says}`, { isAway: true, cause: error });
}
