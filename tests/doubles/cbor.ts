// CBOR (RFC 8949), the part that a double of a hardware key needs: integers, bytes, texts, lists, maps.

export function cborOf(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([head(3, text.length), text]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cborOf)]);
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, each]) => [cborOf(key), cborOf(each)]);
    return Buffer.concat([head(5, value.size), ...entries]);
  }
  throw new Error("this is not written here");
}

/** Major type and size, in the fewest bytes. */
function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 0x100) return Buffer.from([(major << 5) | 24, size]);
  const long = Buffer.alloc(3);
  long.writeUInt8((major << 5) | 25, 0);
  long.writeUInt16BE(size, 1);
  return long;
}
