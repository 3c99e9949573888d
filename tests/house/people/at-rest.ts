// Whether anything is still on its way to a socket, in all processes of a house that tests opened.
import type { RunningHouse } from "../../../server/open.ts";
import { until } from "../machine/waiting.ts";

/** By each address of an open house: all its processes. */
const open = new Map<string, readonly RunningHouse[]>();

export function noteOpen(all: readonly RunningHouse[]): void {
  for (const { url } of all) open.set(url, all);
}

export function noteShut(all: readonly RunningHouse[]): void {
  for (const { url } of all) open.delete(url);
}

/**
 * Resolves when each process of the house at this address has sent its sockets all that it has heard: a PONG alone may
 * overtake events that wait for a look at somebody's rights. A server that is a process of its own cannot be asked.
 */
export async function atRest(url: string): Promise<void> {
  const all = open.get(url) ?? [];
  await until(() => all.every(({ gateway }) => gateway.isAtRest), "something stays on its way to a socket");
}
