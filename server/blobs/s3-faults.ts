// What a store refuses or fails with, in a sentence for the operator that says what to do.
import { textOf } from "../ask-by-http.ts";
import { StorageFault } from "../database/write-gate.ts";
import { Late } from "../in-time.ts";
import type { Answer } from "../wire/answer.ts";

/** The store did not do what it was asked; the message may be shown, and begins with a small letter. */
export class S3Fault extends StorageFault {
  override name = "S3Fault";
  /** Whether nothing at all is to be had from the store: it cannot be reached, or fails. */
  readonly isAway: boolean;
  /** Whether the store has said that the settings name a key, a bucket or a region that it does not take. */
  readonly isOfSettings: boolean;
  /** The store's own word for what is wrong, if it has one. */
  readonly code: string;

  constructor(sentence: string, options: Partial<S3Fault> = {}) {
    super(sentence, { cause: options.cause });
    this.isAway = options.isAway ?? false;
    this.isOfSettings = options.isOfSettings ?? false;
    this.code = options.code ?? "";
  }
}

/**
 * Sentences by the error code of the store's answer. These codes alone stop a start: each says that a setting names what
 * the store does not take. Stores have many others for what passes (a quota, a deadline, a conflict, too many requests).
 */
const meanings: Readonly<Record<string, string>> = {
  NoSuchBucket: "it has no such bucket: make it, or check S3_URL",
  InvalidBucketName: "it takes no such name of a bucket: check S3_URL",
  InvalidAccessKeyId: "it does not know S3_ACCESS_KEY_ID",
  // Versity's word for it.
  XAdminUserNotFound: "it does not know S3_ACCESS_KEY_ID",
  // R2's word for it.
  Unauthorized: "it does not take S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY",
  SignatureDoesNotMatch: "S3_SECRET_ACCESS_KEY is not that of S3_ACCESS_KEY_ID",
  AccessDenied: "S3_ACCESS_KEY_ID may not list, read, write or delete there",
  AuthorizationHeaderMalformed: "it expects another S3_REGION",
  // R2's word for it.
  InvalidRegionName: "it expects another S3_REGION",
  PermanentRedirect: "the bucket is in another region: check S3_URL and S3_REGION",
};

const full = "it is full";

/** The same for what may pass by itself. */
const passing: Readonly<Record<string, string>> = {
  RequestTimeTooSkewed: "its clock and that of this machine differ: set them right",
  QuotaExceeded: full,
  XMinioAdminBucketQuotaExceeded: full,
  InsufficientStorage: full,
  XMinioStorageFull: full,
};

/**
 * The code of an answer that tells none, by its status. An answer to HEAD never does, and nor does a proxy that refuses by
 * itself or has lost the store behind it: so such an answer explains, and stops no start.
 */
const codeByStatus: Readonly<Record<number, string>> = { 403: "AccessDenied", 507: "InsufficientStorage" };
/** The answers of a service that has no time. */
const busy: readonly number[] = [408, 425, 429];

/** Errors are short; a proxy in between may answer with anything. */
export const longestFault = 16 * 1024;

/** The fault that an answer tells of; `what` was asked for. */
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

/** Some stores refuse by AccessDenied what goes beyond a limit, and say so in the message alone. */
function tellsOfLimit(text: string): boolean {
  const message = /<Message>([^<]*)/.exec(text)?.[1] ?? "";
  // One expression for both words would look for the second behind each of the first.
  const at = message.search(/\b(?:cap|quota)\b/i);
  return at >= 0 && /\bexceeded\b/i.test(message.slice(at));
}

/** Whether a request took as long as it may. */
export function isLate(error: unknown): boolean {
  return error instanceof Late;
}

/** The fault of a request that got no answer. */
export function noAnswer(error: unknown, host: string): S3Fault {
  const says = isLate(error) ? "does not answer" : "cannot be reached";
  return new S3Fault(`the S3 store at ${host} ${says}`, { isAway: true, cause: error });
}
