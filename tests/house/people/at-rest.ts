// Waits until no frame is on its way to a socket, in all processes of a house that tests opened.
import type { RunningHouse } from "../../../server/open.ts";
import { until } from "../machine/waiting.ts";

/** All processes of each open house, by every address of it. */
const open = new Map<string, readonly RunningHouse[]>();

export function noteOpen(all: readonly RunningHouse[]): void {
  for (const { url } of all) open.set(url, all);
}

export function noteShut(all: readonly RunningHouse[]): void {
  for (const { url } of all) open.delete(url);
}

/**
 * Resolves when each process of the house at this address has sent its sockets everything it received: a PONG alone may
 * overtake events that wait for a check of permissions. It cannot look into a server that runs as a child process.
 */
export async function atRest(url: string): Promise<void> {
  const all = open.get(url) ?? [];
  await until(() => all.every(({ gateway }) => gateway.isAtRest), "something stays on its way to a socket");
}
