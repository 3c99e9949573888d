// The real server, which tells how much processor time the longest of its turns of the event loop took.
import { dlopen, FFIType, ptr } from "bun:ffi";
import { readConfig } from "../server/config/config.ts";
import { features } from "../server/features.ts";
import { openHouse } from "../server/open.ts";

let longestMs = 0;
let last = 0;
/** While turns are looked at, the event loop never rests. */
let isLookedAt = false;
/** Telling the figures is no work of the server: the turn that does it is left out. */
let hasTold = false;
/** The processor time when the figures were told before. */
let toldAt = 0;

const libc = dlopen("libc.so.6", {
  clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
});
const threadsProcessorTime = 3;
const secondsAndNanoseconds = new BigInt64Array(2);

/** Returns the processor time of the event loop's thread alone, in milliseconds: the runtime counts it in ticks of 4 ms. */
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
/** Tells the longest turn and the processor time since the time before. With /turns it looks at turns from then on. */
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
