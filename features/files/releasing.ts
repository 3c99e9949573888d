// Frees the memory of a form's chunks as soon as they are written.

/** CR, LF, two dashes and a boundary of one letter. */
const shortestDelimiter = 5;

/**
 * Takes a chunk's memory away once its piece of the file was taken. The collector would come to it late: of many
 * uploads side by side that is most of the memory.
 * A chunk whose piece leaves too little room for a delimiter is all file, and the parser holds none of it back.
 */
export function letGo(chunk: Uint8Array<ArrayBuffer>, taken: Uint8Array[]): void {
  // Its memory may hold the next chunk too.
  if (chunk.byteLength < chunk.buffer.byteLength) return;
  const piece = taken.find(({ buffer }) => buffer === chunk.buffer);
  if (piece && chunk.byteLength - piece.byteLength < shortestDelimiter) chunk.buffer.transfer(0);
}
