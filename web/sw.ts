// The service worker: the page offline, and pushes. `tools/page.ts` builds it with the lists of files.
import { addPlugins, cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from "workbox-precaching";

/** The worker globals that this file uses: TypeScript's types of workers and of pages exclude each other. */
interface Worker {
  location: { origin: string };
  registration: {
    showNotification(title: string, options: object): Promise<void>;
    getNotifications(): Promise<readonly Shown[]>;
    pushManager: { subscribe(options: object): Promise<{ toJSON(): Subscription }> };
  };
  clients: {
    matchAll(options: object): Promise<readonly Window[]>;
    openWindow(url: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  navigator: { setAppBadge?(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}

interface Window {
  url: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown, passed?: readonly MessagePort[]): void;
}

interface Shown {
  data: { channelId?: string; messageId?: string } | null;
  close(): void;
}

interface Subscription {
  endpoint?: string;
  keys?: { p256dh: string; auth: string };
}

interface WorkerEvent {
  data: { type?: string; paths?: string[]; json(): Notice };
  ports: readonly MessagePort[];
  request: Request;
  notification: { close(): void; data: { path: string } };
  oldSubscription?: { options: object };
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
  stopImmediatePropagation(): void;
}

interface Notice {
  type: string;
  title: string;
  body: string;
  url: string;
  channel_id?: string;
  message_id?: string;
}

/** Set by the build: the files of the house with their revisions, including the small parts that are loaded later. */
declare const precached: { url: string; revision: string | null }[];
/** Set by the build: the paths of all other parts of this version, which are cached on first use. */
declare const others: string[];

const worker = globalThis as unknown as Worker;
/** The build puts the list in wherever it is named, so it is named once. */
const files = precached;
/** How long a page may take to answer a request to navigate, in milliseconds. */
const answerMs = 1000;
const notThePage = /^\/(api|files|docs|ws)(\/|$)/;

const partsCache = "hearth-parts";
const isOther = new Set(others);

// Other parts never change: after the first use they come from the cache.
worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== worker.location.origin || !isOther.has(pathname)) return;
  event.stopImmediatePropagation();
  event.respondWith(part(pathname));
});

async function part(path: string): Promise<Response> {
  // A full or refused disk caches nothing, and the page works all the same.
  const cache = await caches.open(partsCache).catch(() => undefined);
  const known = await cache?.match(path);
  if (known) return known;
  const answer = await fetch(path);
  if (answer.ok) await cache?.put(path, answer.clone()).catch(() => {});
  return answer;
}

// Keepalive requests of a closing page: left to the page, they would be aborted with it.
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (!request.keepalive) return;
  event.stopImmediatePropagation();
  event.respondWith(fetch(request));
});

// Without words nothing can be shown, so those of the reader's language are cached on installation.
worker.addEventListener("install", (event) => {
  const known = navigator.languages.map((each) => each.split("-")[0] ?? "");
  const words = [...known, "en"].map(wordsIn).find((some) => some.length > 0) ?? [];
  event.waitUntil(Promise.all(words.map(part)));
});

function wordsIn(language: string): string[] {
  const isOf = (path: string) => /\/assets\/(?:\w+\.)?(\w+)-[^/]*\.js$/.exec(path)?.[1] === language;
  return others.filter(isOf);
}

// The parts of an old version are unused once its last page is closed. Claims pages that were open before the worker.
worker.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([dropFormerParts(), worker.clients.claim()]));
});

async function dropFormerParts(): Promise<void> {
  const cache = await caches.open(partsCache);
  const former = (await cache.keys()).filter(({ url }) => !isOther.has(new URL(url).pathname));
  await Promise.all(former.map((each) => cache.delete(each)));
}

// Navigation is network first, so that nobody stays on an old version; offline, the cached page is used.
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode !== "navigate" || notThePage.test(new URL(request.url).pathname)) return;
  event.stopImmediatePropagation();
  event.respondWith(fetch(request).catch(async () => (await matchPrecache("/")) ?? Response.error()));
});

addPlugins([
  {
    // The server returns the page only to requests that accept HTML.
    async requestWillFetch({ request }) {
      return new URL(request.url).pathname === "/"
        ? new Request("/", { headers: { Accept: "text/html" } })
        : request;
    },
  },
]);
precacheAndRoute(files);
cleanupOutdatedCaches();

// Sent when the reader takes the new version: until then, parts that the old one loads later stay available.
worker.addEventListener("message", ({ data, ports }) => {
  if (data?.type === "SKIP_WAITING") void worker.skipWaiting();
  // Parts that the page had loaded before there was a worker.
  if (data?.type === "KEEP") for (const path of data.paths ?? []) if (isOther.has(path)) void part(path);
  // A page asks by its first scripts whether it is of this build.
  if (data?.type === "HAS")
    ports[0]?.postMessage((data.paths ?? []).every((path) => files.some(({ url }) => url === path)));
});

/** Pushes are shown one after another, because each closes the earlier notifications of its channel. */
let shown: Promise<void> = Promise.resolve();

worker.addEventListener("push", (event) => {
  shown = shown.catch(() => {}).then(() => show(event.data.json()));
  event.waitUntil(shown);
});

async function show({ type, title, body, url, channel_id, message_id }: Notice): Promise<void> {
  // A call stays, as it may have been missed, and so does an unread message beside it.
  const isCall = type === "call";
  if (!isCall) await closeOthers(channel_id, message_id);
  await worker.registration.showNotification(title, {
    body,
    icon: "/icon-192.png",
    badge: "/badge-96.png",
    // The same push may come twice. A tag by channel would let a late close of an earlier notification close this one.
    ...(message_id && { tag: message_id }),
    ...(isCall && { tag: `call ${channel_id}`, renotify: true }),
    data: { path: pathOf(url), ...(!isCall && { channelId: channel_id, messageId: message_id }) },
  });
  const windows = await openWindows();
  // An open page does its own counting, and closes notifications of messages that were read already.
  for (const window of windows) window.postMessage({ type: "shown" });
  if (windows.length === 0) await worker.navigator.setAppBadge?.().catch(() => {});
}

/** Closes the earlier notifications of a channel, as far as the browser lists them. */
async function closeOthers(channelId?: string, messageId?: string): Promise<void> {
  if (!channelId) return;
  const notices = await worker.registration.getNotifications().catch(() => []);
  for (const notice of notices)
    if (notice.data?.channelId === channelId && notice.data.messageId !== messageId) notice.close();
}

/** Returns the path of a URL, so that only this origin is opened, whatever a push contains. */
function pathOf(url: string): string {
  try {
    const { pathname, search, hash } = new URL(url, worker.location.origin);
    return pathname + search + hash;
  } catch {
    return "/";
  }
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

/** Lets an open page navigate by itself, so that it loses nothing. A page that does not answer is not ours, or busy. */
async function open(path: string): Promise<void> {
  for (const window of await openWindows()) {
    // A browser may refuse to focus the window.
    await window.focus().catch(() => {});
    if (await goesTo(window, path)) return;
  }
  // The origin is prepended because two slashes at the beginning of a path would name another host.
  await worker.clients.openWindow(worker.location.origin + path);
}

/** Returns the windows with the page, the last focused one first. */
async function openWindows(): Promise<readonly Window[]> {
  const all = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(({ url }) => !notThePage.test(new URL(url).pathname));
}

function goesTo(window: Window, path: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), answerMs);
    window.postMessage({ type: "open", path }, [port2]);
  });
}

// The browser has ended a subscription by itself: sends the new one to the server, with the session cookie.
worker.addEventListener("pushsubscriptionchange", (event) => {
  if (event.oldSubscription) event.waitUntil(subscribeAgain(event.oldSubscription.options));
});

async function subscribeAgain(options: object): Promise<void> {
  const { endpoint, keys } = (await worker.registration.pushManager.subscribe(options)).toJSON();
  await fetch("/api/v1/push/subscribe", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ endpoint, ...keys }),
  });
}
