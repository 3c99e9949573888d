// Reads a body whose declared length is not trusted: bounded in bytes, and with turns for other work in between.
import { setImmediate as nextTurn } from "node:timers/promises";

/** The whole body in one piece; throws the error of `refusal` at the first byte after `most`. */
export async function gathered(
  { body }: { readonly body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | null },
  most: number,
  refusal: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Counts the bytes that arrive: a declared length can be wrong.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > most) throw refusal();
    chunks.push(chunk);
    await turnAfter(chunk);
  }
  return Buffer.concat(chunks);
}

/** A body may come as hundreds of thousands of shorter chunks. */
const longChunk = 16 * 1024;

/** After a short chunk other requests have their turn, and the runtime joins the chunks that arrive meanwhile. */
export async function turnAfter(chunk: Uint8Array): Promise<void> {
  if (chunk.byteLength < longChunk) await nextTurn();
}
