// A start that is meant to fail: the exit code and the output of the server.
import { type Ended, spawnServer, untilEnd } from "../house/machine/process.ts";

const patienceMs = 180_000;

/** Starts the real server and waits until it gives up; one that becomes ready is killed and has no exit code. */
export function startRefused(settings: Record<string, string>): Promise<Ended> {
  return untilEnd(spawnServer(settings), patienceMs, "ready");
}
