// The page's service worker: it is registered once.
import { Workbox } from "workbox-window";
import { idle } from "./idle.ts";
import { scriptAddress } from "./script-address.ts";

const address = "/sw.js";

let worker: Promise<ServiceWorkerRegistration | undefined> | undefined;
const watchers = new Set<() => void>();
let hasUpdate = false;
/** The newer worker waits for `takeUpdate`; else another tab has let it take over already. */
let waits = false;
let isTaking = false;
let lastLookAt = Date.now();
let workbox: Workbox | undefined;

/** A page that stays open for weeks asks for a newer one itself, or for the first one again, at most this often (ms). */
const lookMs = 60_000;
/** A worker with work under way may not give way for minutes: a reader who asks for the newer page then sees this one anew (ms). */
const takingMs = 10_000;
/** A page that is busy for longer than this gets its worker all the same (ms). */
const busyMs = 5000;

/** Undefined where the browser has none, or the connection is not safe. */
export function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  worker ??= register();
  return worker;
}

async function register(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return undefined;
  // What is kept for offline must not hold up what is wanted now.
  await idle(busyMs);
  // Without a network the first one cannot be had, and is not asked for again.
  if (!navigator.serviceWorker.controller && !navigator.onLine) await online();
  workbox ??= watchedWorkbox();
  // A page that is shown gets an answer; whether it is kept for offline is not worth an error.
  const registration = await workbox.register({ immediate: true }).catch(askLater);
  if (registration && !navigator.serviceWorker.controller) void keepLoaded();
  return registration;
}

/** A server that was away or busy in that moment must not leave a page without a worker for as long as it is open. */
function askLater(): undefined {
  setTimeout(() => {
    worker = register();
  }, lookMs);
}

function watchedWorkbox(): Workbox {
  const watched = new Workbox(scriptAddress(address));
  watched.addEventListener("waiting", () => {
    waits = true;
    tellOfUpdate();
  });
  // The first worker of a browser may have been installed by a page that was left meanwhile: it is no newer one.
  let isControlled = navigator.serviceWorker.controller !== null;
  watched.addEventListener("controlling", () => {
    waits = false;
    if (isTaking) location.reload();
    else if (isControlled) tellOfUpdate();
    isControlled = true;
  });
  return watched;
}

/** What this page has loaded already went past the worker, which is there only now. */
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

/** Calls `watcher` when there is a newer page. Returns the function that ends it. */
export function onUpdate(watcher: () => void): () => void {
  watchers.add(watcher);
  if (hasUpdate) watcher();
  return () => watchers.delete(watcher);
}

/** Asks whether there is a newer page: a server that was away may have come back with one. */
export async function lookForUpdate(): Promise<void> {
  if (!worker || Date.now() - lastLookAt < lookMs) return;
  lastLookAt = Date.now();
  // Without a network there is no newer one to be had.
  await (await worker)?.update().catch(() => {});
}

/** Lets the newer page take over, and shows it. */
export function takeUpdate(): void {
  isTaking = true;
  if (waits) workbox?.messageSkipWaiting();
  reloadAfter(takingMs);
  // A page that no worker controls hears nothing of the one that takes over.
  if (!waits || !navigator.serviceWorker.controller) location.reload();
}

/** Chromium may never show a page that is asked for while its worker gives way: it is asked again, each time later. */
function reloadAfter(waitMs: number): void {
  setTimeout(() => {
    location.reload();
    reloadAfter(waitMs * 2);
  }, waitMs);
}
