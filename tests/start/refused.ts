// A start that is meant to fail: the server's end, its exit code and everything it said.
import { type Ended, spawnServer, untilEnd } from "../house/machine/process.ts";

const patienceMs = 180_000;

/** Starts the real server and waits until it has given up; one that runs all the same is ended and shows no code. */
export function startRefused(settings: Record<string, string>): Promise<Ended> {
  return untilEnd(spawnServer(settings), patienceMs, "ready");
}
