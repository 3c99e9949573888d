// The id before another one, for positions that the server takes as "after this".

/** The greatest id that is less than this one; there need not be a message of that id. */
export function idBefore(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll("-", "")}`) - 1n).toString(16).padStart(32, "0");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
