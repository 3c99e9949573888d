// Loads a part of the page when it is first drawn, also through a network that is away for a while.
import { type ComponentType, lazy } from "react";

/** Between two tries, in milliseconds. */
const pauseMs = 2000;
/** A server that answers and does not have it after so many tries has a newer version of the page. */
const mostTries = 3;

/**
 * As React's `lazy`, which asks once only and gives the whole region up: a menu that does not come must not take the
 * text along that somebody writes beside it.
 */
export function lazily<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): React.LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => persistently(load));
}

/** Tries until it is there. Throws what the last try did where the server is there and does not have it. */
export async function persistently<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; ) {
    try {
      return await load();
    } catch (error) {
      if (tries >= mostTries) throw error;
    }
    await pause();
    if (await isThere()) tries++;
  }
}

/** Until the network is said to be back, and otherwise for a while. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, pauseMs);
    addEventListener("online", end);
  });
}

async function isThere(): Promise<boolean> {
  try {
    return (await fetch("/api/v1/instance", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
