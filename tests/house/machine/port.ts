// A free port for a server that must come back on the same one after it is killed, or that cannot choose one by itself.

import { createServer, type ListenOptions, type Server } from "node:net";

// Below the range from which the system gives ports to outgoing connections: while the server is down, a client
// that calls again and again could otherwise be given the very port that it calls, and hold it.
const LOWEST = 20_000;
// Each process has a range of ports and takes them in turn, so that no port of a server that restarts is taken meanwhile.
const PER_PROCESS = 200;
const PROCESSES = 60;
let next = Math.floor(Math.random() * PER_PROCESS);
/** Ports that no other process of tests uses while this one runs. */
const held = new Map<number, Server>();

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PER_PROCESS; tries++) {
    const port = LOWEST + (process.pid % PROCESSES) * PER_PROCESS + (next++ % PER_PROCESS);
    if ((await isHeld(port)) && (await isFree(port))) return port;
  }
  throw new Error("No free port found.");
}

/**
 * Two processes whose ranges are the same would both find the port free while its server is down. A socket's name that is
 * no file is one process's, and goes with it; only Linux has such names.
 */
async function isHeld(port: number): Promise<boolean> {
  if (process.platform !== "linux" || held.has(port)) return true;
  const holder = await listening({ path: `\0hearth-tests-port-${port}` });
  if (!holder) return false;
  holder.unref();
  held.set(port, holder);
  return true;
}

async function isFree(port: number): Promise<boolean> {
  const probe = await listening({ port, host: "127.0.0.1" });
  if (!probe) return false;
  await new Promise((resolve) => probe.close(resolve));
  return true;
}

/** Undefined where somebody else listens there. */
function listening(where: ListenOptions): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(where, () => resolve(server));
  });
}
