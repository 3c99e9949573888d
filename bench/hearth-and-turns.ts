// The real server, which reports the processor time of its longest event loop turn.
import { dlopen, FFIType, ptr } from "bun:ffi";
import { readConfig } from "../server/config/config.ts";
import { features } from "../server/features.ts";
import { openHouse } from "../server/open.ts";

let longestMs = 0;
let last = 0;
/** True if turns are measured. Meanwhile the event loop never idles. */
let isLookedAt = false;
/** True if this turn has reported the figures: such a turn is left out, as it is no work of the server. */
let hasTold = false;
/** The processor time at the previous report, in milliseconds. */
let toldAt = 0;

const libc = dlopen("libc.so.6", {
  clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
});
const threadsProcessorTime = 3;
const secondsAndNanoseconds = new BigInt64Array(2);

/** Returns the processor time of the event loop's thread in milliseconds: the runtime's own figure has 4 ms ticks. */
function processorMs(): number {
  libc.symbols.clock_gettime(threadsProcessorTime, ptr(secondsAndNanoseconds));
  const [seconds = 0n, nanoseconds = 0n] = secondsAndNanoseconds;
  return Number(seconds) * 1000 + Number(nanoseconds) / 1e6;
}

function endTurn(): void {
  const now = processorMs();
  longestMs = hasTold ? 0 : Math.max(longestMs, now - last);
  hasTold = false;
  last = now;
  if (isLookedAt) setImmediate(endTurn);
}

const { url } = await openHouse(readConfig(), { features });
/** Reports the longest turn and the processor time since the previous report. /turns starts measuring turns. */
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.TURNS_PORT),
  fetch({ url }) {
    const now = processorMs();
    const told = { longestMs, workMs: now - toldAt };
    toldAt = now;
    hasTold = true;
    const begins = url.endsWith("/turns");
    if (begins && !isLookedAt) setImmediate(endTurn);
    isLookedAt = begins;
    return Response.json(told);
  },
});
console.log(`Hearth is ready at ${url}`);
