// Reads a JSON body: bounded in size, time and depth, strict about what counts as JSON text.
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { deadline } from "../deadline.ts";
import { countMembers } from "../json-text.ts";
import { gathered } from "../whole-body.ts";

// Shorter than the idle timeout of the connection, so that the client still receives the refusal.
const inTime = deadline(25_000, () => malformed("The body did not arrive in time."));
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The body as a value, or undefined when there is none.
 * Throws too_large (413), unsupported_type (415), malformed_json (400).
 */
export async function readJson(request: Request): Promise<unknown> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limits.body_bytes_max) throw tooLarge();
  // Reading `request.body` makes a stream, so it is read only when the length is not declared.
  if (declared === null && request.body === null) return undefined;
  const bytes = await whole(
    declared === null ? gathered(request, limits.body_bytes_max, tooLarge) : request.bytes(),
  );
  if (bytes.byteLength === 0) return undefined;
  const type = request.headers.get("content-type");
  if (type !== null && !/^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type)) {
    throw new Refusal("unsupported_type", "Send the body as application/json.");
  }
  return parse(bytes);
}

async function whole(arriving: Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await inTime(arriving);
  } catch (error) {
    throw error instanceof Refusal ? error : malformed("The body did not arrive whole.");
  }
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed("The body is not valid UTF-8.");
  }
  // A duplicate name counts twice in the text, but is one key of the value.
  const members = countMembers(text);
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed("The body is not valid JSON.");
  }
  if (countKeys(value) !== members) throw malformed("The body names the same field twice.");
  // The decoder and the grammar keep unstorable characters out of raw text; only escapes can bring them.
  const path = text.includes("\\u") ? findUnstorable(value) : undefined;
  if (path !== undefined) {
    const message = "must not hold NUL or half of a surrogate pair";
    throw new Refusal("invalid_request", `Text ${message}.`, { fields: [{ path, message }] });
  }
  return value;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) {
    let count = 0;
    for (const each of value) count += countKeys(each);
    return count;
  }
  let count = 0;
  for (const key of Object.keys(value)) count += 1 + countKeys((value as Record<string, unknown>)[key]);
  return count;
}

/**
 * The path of the first text that not every engine can store (NUL, or half of a surrogate pair), dotted like all paths
 * in `fields`. A name that cannot be stored counts for the object that holds it.
 */
export function findUnstorable(value: unknown, path = ""): string | undefined {
  if (typeof value === "string") return isStorable(value) ? undefined : path;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    if (!isStorable(key)) return path;
    const found = findUnstorable(each, path === "" ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function malformed(sentence: string): Refusal {
  return new Refusal("malformed_json", sentence);
}

function tooLarge(): Refusal {
  return new Refusal("too_large", `A body may be at most ${limits.body_bytes_max} bytes.`);
}
