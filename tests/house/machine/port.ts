// A free port for a server that must come back on the same one after it is killed, or that cannot choose one by itself.

import { createServer, type ListenOptions, type Server } from "node:net";

// Below the ephemeral ports of outgoing connections: while the server is down, a client that reconnects in a loop could
// otherwise be given the very port that it connects to, and hold it.
const LOWEST = 20_000;
// Each process goes through a port range of its own, so that the port of a restarting server stays free.
const PER_PROCESS = 200;
const PROCESSES = 60;
let next = Math.floor(Math.random() * PER_PROCESS);
/** Ports that are reserved for this process among all processes of tests. */
const held = new Map<number, Server>();

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PER_PROCESS; tries++) {
    const port = LOWEST + (process.pid % PROCESSES) * PER_PROCESS + (next++ % PER_PROCESS);
    if ((await isHeld(port)) && (await isFree(port))) return port;
  }
  throw new Error("No free port found.");
}

/**
 * Reserves a port. Two processes with the same range would both find it free while its server is down. An abstract
 * socket name belongs to one process and goes when that ends; only Linux has such names.
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

/** Resolves to undefined where another process listens there. */
function listening(where: ListenOptions): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(where, () => resolve(server));
  });
}
