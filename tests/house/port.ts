// A free port for a server that must come back on the same one after it is killed.

import { createServer } from "node:net";

// Below the range from which the system gives ports to outgoing connections: while the server is down, a client
// that calls again and again could otherwise be given the very port that it calls, and hold it.
const LOWEST = 20_000;
// Each process has a range of ports and takes them in turn, so that no port of a server that restarts is taken meanwhile.
const PER_PROCESS = 200;
const PROCESSES = 60;
let next = Math.floor(Math.random() * PER_PROCESS);

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PER_PROCESS; tries++) {
    const port = LOWEST + (process.pid % PROCESSES) * PER_PROCESS + (next++ % PER_PROCESS);
    if (await isFree(port)) return port;
  }
  throw new Error("No free port found.");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
