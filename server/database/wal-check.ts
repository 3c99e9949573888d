// Whether a write-ahead log can still be read as it was written: follows its checksums from the first frame to the last.

const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * `log` is the file from its beginning, `frames` how many of its frames count. The format is SQLite's
 * (https://sqlite.org/fileformat2.html#walformat): the checksum of each frame goes on from that of the one before.
 */
export function isWhole(log: Buffer, frames: number): boolean {
  if (frames === 0) return true;
  if (log.length < headerBytes) return false;
  const words = new DataView(log.buffer, log.byteOffset, log.byteLength);
  // The last bit of the magic number tells the byte order of the words that are summed.
  const magic = words.getUint32(0);
  if (magic >>> 1 !== 0x377f0682 >>> 1) return false;
  const isLittle = (magic & 1) === 0;
  const frameBytes = frameHeaderBytes + words.getUint32(8);
  if (log.length < headerBytes + frames * frameBytes) return false;
  let [a, b] = [0, 0];
  function sum(from: number, to: number): void {
    for (let at = from; at < to; at += 8) {
      a = (a + words.getUint32(at, isLittle) + b) >>> 0;
      b = (b + words.getUint32(at + 4, isLittle) + a) >>> 0;
    }
  }
  sum(0, 24);
  if (a !== words.getUint32(24) || b !== words.getUint32(28)) return false;
  for (let frame = 0; frame < frames; frame++) {
    const at = headerBytes + frame * frameBytes;
    sum(at, at + 8);
    sum(at + frameHeaderBytes, at + frameBytes);
    // The salt is the header's: a frame of an earlier time has another.
    if (words.getBigUint64(at + 8) !== words.getBigUint64(16)) return false;
    if (a !== words.getUint32(at + 16) || b !== words.getUint32(at + 20)) return false;
  }
  return true;
}
