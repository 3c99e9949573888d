// What a store refuses or fails with, in a sentence for the operator that says what to do.
import { StorageFault } from "../database/write-gate.ts";

/** The store did not do what it was asked; the message may be shown, and begins with a small letter. */
export class S3Fault extends StorageFault {
  override name = "S3Fault";
  /** Whether nothing at all is to be had from the store: it cannot be reached, or fails. */
  readonly isAway: boolean;
  /** The store's own word for what is wrong, if it has one. */
  readonly code: string;

  constructor(sentence: string, options: { isAway?: boolean; code?: string; cause?: unknown } = {}) {
    super(sentence, { cause: options.cause });
    this.isAway = options.isAway ?? false;
    this.code = options.code ?? "";
  }
}

/** Sentences by the error code of the store's answer. */
const meanings: Readonly<Record<string, string>> = {
  NoSuchBucket: "it has no such bucket: make it, or check S3_URL",
  InvalidBucketName: "it takes no such name of a bucket: check S3_URL",
  InvalidAccessKeyId: "it does not know S3_ACCESS_KEY_ID",
  // Versity's word for it.
  XAdminUserNotFound: "it does not know S3_ACCESS_KEY_ID",
  SignatureDoesNotMatch: "S3_SECRET_ACCESS_KEY is not that of S3_ACCESS_KEY_ID",
  AccessDenied: "S3_ACCESS_KEY_ID may not list, read, write or delete there",
  AuthorizationHeaderMalformed: "it expects another S3_REGION",
  PermanentRedirect: "the bucket is in another region: check S3_URL and S3_REGION",
  RequestTimeTooSkewed: "its clock and that of this machine differ: set them right",
  QuotaExceeded: "it is full",
  InsufficientStorage: "it is full",
  XMinioStorageFull: "it is full",
};

const longestAnswer = 16 * 1024;

/** The fault that an answer tells of; `what` was asked for. Reads the answer's body. */
export async function faultIn(answer: Response, host: string, what: string): Promise<S3Fault> {
  const text = await beginningOf(answer);
  const told = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1];
  // An answer to HEAD tells no code.
  const code = told ?? (answer.status === 403 ? "AccessDenied" : "");
  const region = /<Region>([\w-]{1,64})<\/Region>/.exec(text)?.[1];
  const meaning = meanings[code] ?? `it answers ${answer.status} ${code}`.trimEnd();
  const isAway = (answer.status >= 500 || answer.status === 429) && !meanings[code];
  const also = region ? ` (${region})` : "";
  return new S3Fault(`the S3 store at ${host} refuses to ${what}: ${meaning}${also}`, { isAway, code });
}

/** Whether a request took as long as it may. */
export function isLate(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

/** The fault of a request that got no answer. */
export function noAnswer(error: unknown, host: string): S3Fault {
  const says = isLate(error) ? "does not answer" : "cannot be reached";
  return new S3Fault(`the S3 store at ${host} ${says}`, { isAway: true, cause: error });
}

/** Errors are short; a proxy in between may answer with anything. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > longestAnswer) break;
    }
  } catch {
    // What has come says enough.
  }
  return text;
}
