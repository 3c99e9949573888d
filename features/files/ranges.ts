// Range requests (RFC 9110).
import { Refusal } from "../../protocol/errors.ts";

/** Bytes from `first` to `last`, both included. */
interface Span {
  first: number;
  last: number;
}

/**
 * Returns the requested part of the file. Undefined means the whole file: no range, an invalid one, several, or one
 * whose If-Range does not hold. Throws range_not_satisfiable when the file ends before it.
 */
export function spanOf(headers: Headers, etag: string, size: number): Span | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/i.exec(headers.get("range") ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const condition = headers.get("if-range");
  if (condition !== null && condition.trim() !== etag) return undefined;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < first) return undefined;
  if (first > last) {
    throw new Refusal("range_not_satisfiable", `The file has only ${size} bytes.`, { size });
  }
  return { first, last };
}
