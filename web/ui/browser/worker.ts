// Registers the page's service worker, and handles updates.
import { Workbox } from "workbox-window";
import { idle } from "./idle.ts";
import { scriptAddress } from "./script-address.ts";

const address = "/sw.js";

let worker: Promise<ServiceWorkerRegistration | undefined> | undefined;
const watchers = new Set<() => void>();
let hasUpdate = false;
/** True if the newer worker waits for `takeUpdate`; otherwise another tab has let it take over already. */
let waits = false;
let isTaking = false;
let lastLookAt = Date.now();
let workbox: Workbox | undefined;

/** The least time between checks for an update, and before a failed registration is retried (ms). */
const lookMs = 60_000;
/** How long to wait for the newer worker before reloading anyway (ms): a busy old one may not give way for minutes. */
const takingMs = 10_000;
/** How long a worker may take to answer the page (ms). */
const answerMs = 10_000;
/** How long a busy page delays the registration at most (ms). */
const busyMs = 5000;

/** Resolves to undefined when the browser has no service workers, or the connection is not secure. */
export function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  worker ??= register();
  return worker;
}

async function register(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return undefined;
  // Caching for offline use must not delay what is needed now.
  await idle(busyMs);
  // Offline, the first worker cannot be fetched, and the browser would not retry.
  if (!navigator.serviceWorker.controller && !navigator.onLine) await online();
  workbox ??= watchedWorkbox();
  // The page works without a worker, so a failed registration is no error for the reader.
  const registration = await workbox.register({ immediate: true }).catch(askLater);
  if (registration && !navigator.serviceWorker.controller) void keepLoaded();
  return registration;
}

/** Retries later, so that a server that was briefly away does not leave an open page without a worker for good. */
function askLater(): undefined {
  setTimeout(() => {
    worker = register();
  }, lookMs);
}

function watchedWorkbox(): Workbox {
  const watched = new Workbox(scriptAddress(address));
  // A browser's first worker may have been installed by a page that is gone: it is then no update.
  let isControlled = navigator.serviceWorker.controller !== null;
  watched.addEventListener("waiting", ({ sw }) => {
    waits = true;
    if (isControlled) void tellUnlessSame(sw);
  });
  watched.addEventListener("controlling", ({ sw }) => {
    waits = false;
    if (isTaking) location.reload();
    else if (isControlled) void tellUnlessSame(sw);
    isControlled = true;
  });
  return watched;
}

/** A page that was loaded after the server was updated is as new as its worker: a reload would change nothing. */
async function tellUnlessSame(sw: ServiceWorker | undefined): Promise<void> {
  if (!sw || !(await isOfThisBuild(sw))) tellOfUpdate();
}

/** Asks a worker whether it has the scripts that the page began with: their names change with each build. */
function isOfThisBuild(sw: ServiceWorker): Promise<boolean> {
  const scripts = document.querySelectorAll<HTMLScriptElement>("script[type=module]");
  const paths = Array.from(scripts, ({ src }) => src.slice(location.origin.length));
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === true);
    // Busy, or older than this question.
    setTimeout(() => resolve(false), answerMs);
    sw.postMessage({ type: "HAS", paths }, [port2]);
  });
}

/** Lets the new worker cache the files that the page loaded before it was active. */
async function keepLoaded(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  const paths = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
  active?.postMessage({ type: "KEEP", paths });
}

function tellOfUpdate(): void {
  hasUpdate = true;
  for (const watcher of watchers) watcher();
}

function online(): Promise<void> {
  return new Promise((resolve) => addEventListener("online", () => resolve(), { once: true }));
}

/** Calls `watcher` when there is a newer version of the page. Returns the function that unsubscribes. */
export function onUpdate(watcher: () => void): () => void {
  watchers.add(watcher);
  if (hasUpdate) watcher();
  return () => watchers.delete(watcher);
}

/** Checks for a newer version of the page: a server that was away may have come back with one. */
export async function lookForUpdate(): Promise<void> {
  if (!worker || Date.now() - lastLookAt < lookMs) return;
  lastLookAt = Date.now();
  // Offline, the check fails.
  await (await worker)?.update().catch(() => {});
}

/** Activates the newer version, and reloads the page. */
export function takeUpdate(): void {
  isTaking = true;
  if (waits) workbox?.messageSkipWaiting();
  reloadAfter(takingMs);
  // A page that no worker controls gets no event when the new one takes over.
  if (!waits || !navigator.serviceWorker.controller) location.reload();
}

/** Reloads again with growing delays: a reload while the worker is being replaced may never finish in Chromium. */
function reloadAfter(waitMs: number): void {
  setTimeout(() => {
    location.reload();
    reloadAfter(waitMs * 2);
  }, waitMs);
}
