// Sends code to the highlighting worker, one block at a time, and terminates the worker if a block takes too long.
import { startWorker } from "../../../../web/ui/browser/script-address.ts";
import { type Block, ColourTurns } from "./colour-turns.ts";
import type { FromWorker } from "./colours-worker.ts";
import address from "./colours-worker.ts?worker&url";
import type { Piece } from "./highlight.ts";

type Pieces = readonly Piece[] | undefined;

/** A worker that has not started by then never will: its file hangs, or the browser has ended it. */
const arrivalMs = 15_000;
/** Time is counted in timer ticks of the page, so that it stands still while the page itself is busy. */
const tickMs = 10;

let worker: Worker | undefined;
const turns = new ColourTurns(coloured);

/** Resolves to undefined if there are no colours, or the caller no longer waits. */
export async function coloursOf(text: string, language: string, left: AbortSignal): Promise<Pieces> {
  const answer = await turns.coloursOf({ text, language }, left);
  return answer?.pieces;
}

/** Undefined: the worker did not start, broke, or took too long. The next call starts another. */
async function coloured(block: Block, ms: number): Promise<{ pieces: Pieces } | undefined> {
  worker ??= startWorker(address);
  const asked = worker;
  return new Promise((resolve) => {
    const end = () => {
      asked.terminate();
      worker = undefined;
      resolve(undefined);
    };
    let stop = afterTicks(arrivalMs, end);
    asked.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      stop();
      if (data === "begun") stop = afterTicks(ms, end);
      else resolve(data);
    };
    asked.onerror = (event) => {
      event.preventDefault();
      stop();
      end();
    };
    asked.postMessage(block);
  });
}

/** Returns a function that cancels the timer. */
function afterTicks(ms: number, run: () => void): () => void {
  let leftMs = ms;
  let timer = setTimeout(function tick() {
    leftMs -= tickMs;
    if (leftMs <= 0) run();
    else timer = setTimeout(tick, tickMs);
  }, tickMs);
  return () => clearTimeout(timer);
}
