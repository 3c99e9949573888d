// A worker that highlights code one block at a time, so that the page is never blocked.
import type { Block } from "./colour-turns.ts";
import { highlighted, type Piece } from "./highlight.ts";

/** `begun` precedes each result, so that the page measures the time of the block alone. */
export type FromWorker = "begun" | { pieces: readonly Piece[] | undefined };

const say = (what: FromWorker) => postMessage(what);

addEventListener("message", ({ data: { text, language } }: MessageEvent<Block>) => {
  // Compiles the language first, so that its first block is not charged for it.
  highlighted("", language);
  say("begun");
  say({ pieces: highlighted(text, language) });
});

// Warms up the highlighter for the first block of all.
highlighted("const warm = true;", "ts");
