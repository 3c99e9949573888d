// Asks the worker for the colours of code, one block at a time, and ends it when a block takes too long.
import { startWorker } from "../../../../web/ui/browser/script-address.ts";
import { type Block, ColourTurns } from "./colour-turns.ts";
import type { FromWorker } from "./colours-worker.ts";
import address from "./colours-worker.ts?worker&url";
import type { Piece } from "./highlight.ts";

type Pieces = readonly Piece[] | undefined;

/** A worker that has not begun by then is not coming: its file hangs, or the browser has ended it. */
const arrivalMs = 15_000;
/** Time is counted in ticks of the page, so that none passes while the page itself is busy. */
const tickMs = 10;

let worker: Worker | undefined;
const turns = new ColourTurns(coloured);

/** Undefined where there are none, or nobody waits for them any more. */
export async function coloursOf(text: string, language: string, left: AbortSignal): Promise<Pieces> {
  const answer = await turns.coloursOf({ text, language }, left);
  return answer?.pieces;
}

/** Undefined: the worker did not come, broke, or took too long. The next one who asks gets another. */
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

/** Returns the function that stops it. */
function afterTicks(ms: number, run: () => void): () => void {
  let leftMs = ms;
  let timer = setTimeout(function tick() {
    leftMs -= tickMs;
    if (leftMs <= 0) run();
    else timer = setTimeout(tick, tickMs);
  }, tickMs);
  return () => clearTimeout(timer);
}
