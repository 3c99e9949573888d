// Builds the containers of picture files: segments of a JPEG, chunks of a PNG and a WebP, boxes of an AVIF.
import { crc32 } from "node:zlib";

export type Part = string | Uint8Array;

export function joined(...parts: readonly Part[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
}

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A segment of a JPEG; `marker` is the byte of its kind. */
export function segment(marker: number, ...content: readonly Part[]): Buffer {
  const bytes = joined(...content);
  return joined(Buffer.of(0xff, marker), u16(bytes.length + 2), bytes);
}

export function pngChunk(type: string, ...content: readonly Part[]): Buffer {
  const typed = joined(type, ...content);
  return joined(u32(typed.length - 4), typed, u32(crc32(typed)));
}

export function riffChunk(type: string, ...content: readonly Part[]): Buffer {
  const bytes = joined(...content);
  return joined(type, u32(bytes.length).reverse(), bytes, Buffer.alloc(bytes.length % 2));
}

/** A box of an AVIF. */
export function box(type: string, ...content: readonly Part[]): Buffer {
  const bytes = joined(...content);
  return joined(u32(bytes.length + 8), type, bytes);
}

export function fullBox(type: string, version: number, ...content: readonly Part[]): Buffer {
  return box(type, Buffer.of(version, 0, 0, 0), ...content);
}
