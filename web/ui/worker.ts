// The page's service worker: it is registered once, by the one text that the page may use as a script's address.
import { Workbox } from "workbox-window";

const address = "/sw.js";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string;
  };
}

let worker: Promise<ServiceWorkerRegistration | undefined> | undefined;
const watchers = new Set<() => void>();
let hasUpdate = false;
let workbox: Workbox | undefined;

/** Undefined where the browser has none, or the connection is not safe. */
export function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  worker ??= register();
  return worker;
}

async function register(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return undefined;
  // What is kept for offline must not hold up what is wanted now.
  await idle();
  workbox = new Workbox(trustedAddress());
  workbox.addEventListener("waiting", () => {
    hasUpdate = true;
    for (const watcher of watchers) watcher();
  });
  // A page that is shown gets an answer; whether it is kept for offline is not worth an error.
  const registration = await workbox.register({ immediate: true }).catch(() => undefined);
  if (!navigator.serviceWorker.controller) void keepLoaded();
  return registration;
}

/** What this page has loaded already went past the worker, which is there only now. */
async function keepLoaded(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  const paths = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
  active?.postMessage({ type: "KEEP", paths });
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: 5000 });
    else setTimeout(resolve, 1000);
  });
}

/** With Trusted Types, no other text than this one address becomes a script. */
function trustedAddress(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const refuse = (url: string) => {
    if (url !== address) throw new Error(`no script of ours: ${url}`);
    return url;
  };
  return trustedTypes
    ? trustedTypes.createPolicy("hearth", { createScriptURL: refuse }).createScriptURL(address)
    : address;
}

/** Calls `watcher` when a newer page waits. Returns the function that ends it. */
export function onUpdate(watcher: () => void): () => void {
  watchers.add(watcher);
  if (hasUpdate) watcher();
  return () => watchers.delete(watcher);
}

/** Lets the newer page take over, and shows it. */
export function takeUpdate(): void {
  workbox?.addEventListener("controlling", () => location.reload());
  workbox?.messageSkipWaiting();
}
