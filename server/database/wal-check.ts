// Checks that a write-ahead log is intact: follows its checksums from the first frame to the last.
import { closeSync, openSync, readSync } from "node:fs";

const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * `frames` is the number of frames to check. The format is SQLite's (https://sqlite.org/fileformat2.html#walformat):
 * the checksum of each frame continues that of the frame before.
 */
export function isWhole(file: string, frames: number): boolean {
  if (frames === 0) return true;
  const fd = openSync(file, "r");
  try {
    return areWhole(fd, frames);
  } finally {
    closeSync(fd);
  }
}

function areWhole(fd: number, frames: number): boolean {
  const header = read(fd, 0, headerBytes);
  // The last bit of the magic number is the byte order of the checksummed words.
  const magic = header?.getUint32(0) ?? 0;
  if (!header || magic >>> 1 !== 0x377f0682 >>> 1) return false;
  const isLittle = (magic & 1) === 0;
  let [a, b] = [0, 0];
  function sum(words: DataView, from: number, to: number): void {
    for (let at = from; at < to; at += 8) {
      a = (a + words.getUint32(at, isLittle) + b) >>> 0;
      b = (b + words.getUint32(at + 4, isLittle) + a) >>> 0;
    }
  }
  sum(header, 0, 24);
  if (a !== header.getUint32(24) || b !== header.getUint32(28)) return false;
  const frameBytes = frameHeaderBytes + header.getUint32(8);
  for (let frame = 0; frame < frames; frame++) {
    // Read frame by frame: a log that a long reader kept from being shortened can be larger than the memory.
    const words = read(fd, headerBytes + frame * frameBytes, frameBytes);
    if (!words) return false;
    sum(words, 0, 8);
    sum(words, frameHeaderBytes, frameBytes);
    // A frame's salt is that of the header; a frame left over from an earlier log has another.
    if (words.getBigUint64(8) !== header.getBigUint64(16)) return false;
    if (a !== words.getUint32(16) || b !== words.getUint32(20)) return false;
  }
  return true;
}

/** Undefined when the file is shorter. */
function read(fd: number, at: number, length: number): DataView | undefined {
  const bytes = new Uint8Array(length);
  return readSync(fd, bytes, 0, length, at) === length ? new DataView(bytes.buffer) : undefined;
}
