// Frees the memory of a form's chunks as soon as they are written.

/** The shortest delimiter: CR, LF, two dashes and a boundary of one letter. */
const shortestDelimiter = 5;

/**
 * Frees a chunk's memory once its piece of the file has been written. The garbage collector would free it late, and
 * with many concurrent uploads that is most of the memory. Only a chunk that is all file is freed: the rest beside its
 * piece is too short for a delimiter, so the parser holds none of it back.
 */
export function letGo(chunk: Uint8Array<ArrayBuffer>, taken: Uint8Array[]): void {
  // The buffer under this chunk may hold the next one, too.
  if (chunk.byteLength < chunk.buffer.byteLength) return;
  const piece = taken.find(({ buffer }) => buffer === chunk.buffer);
  if (piece && chunk.byteLength - piece.byteLength < shortestDelimiter) chunk.buffer.transfer(0);
}
