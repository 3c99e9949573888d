// Colours code apart from the page, which is never kept waiting by it: a block at a time.
import type { Block } from "./colour-turns.ts";
import { highlighted, type Piece } from "./highlight.ts";

/** `begun` comes before each block, so that the page's clock measures the block alone. */
export type FromWorker = "begun" | { pieces: readonly Piece[] | undefined };

const say = (what: FromWorker) => postMessage(what);

addEventListener("message", ({ data: { text, language } }: MessageEvent<Block>) => {
  // The first block in a language is not the one that pays for getting it ready.
  highlighted("", language);
  say("begun");
  say({ pieces: highlighted(text, language) });
});

// Nor is the first block of all.
highlighted("const warm = true;", "ts");
