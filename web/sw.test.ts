// The service worker by itself: its responses to the page's requests, and its handling of pushes.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

type Listener = (event: object) => void;

const origin = "https://chat.example";
const world = globalThis as unknown as Record<string, unknown>;
const listeners = new Map<string, Listener[]>();
const caches = new Map<string, Map<string, Response>>();
let [asked, opened, shown, closed]: string[][] = [[], [], [], []];
let windows: {
  url: string;
  focus(): Promise<void>;
  postMessage(said: { type: string; path?: string }): void;
}[] = [];
let notices: { data: object | null; close(): void }[] = [];
let answer: () => Response = () => new Response("fresh");

/** The globals of a worker. */
const around: Record<string, unknown> = {
  self: globalThis,
  __WB_DISABLE_DEV_LOGS: true,
  precached: [{ url: "/assets/start-b2.js", revision: null }],
  others: ["/assets/part-a1.js"],
  location: { origin, href: `${origin}/sw.js` },
  addEventListener: (type: string, listener: Listener) =>
    listeners.set(type, [...(listeners.get(type) ?? []), listener]),
  skipWaiting: async () => void opened.push("skipped"),
  fetch: async (request: Request | string) => {
    asked.push(typeof request === "string" ? request : new URL(request.url).pathname);
    return answer();
  },
  registration: {
    scope: origin,
    showNotification: async (title: string, { tag, data }: { tag?: string; data: { path: string } }) =>
      void shown.push(`${title} ${tag} ${data.path}`),
    getNotifications: async () => notices,
  },
  clients: {
    matchAll: async () => windows,
    openWindow: async (url: string) => void opened.push(url),
    claim: async () => {},
  },
  caches: {
    open: async (name: string) => {
      const kept = caches.get(name) ?? new Map<string, Response>();
      caches.set(name, kept);
      const pathOf = (at: string | { url: string }) =>
        typeof at === "string" ? at : new URL(at.url).pathname;
      return {
        match: async (path: string) => kept.get(path)?.clone(),
        put: async (path: string, response: Response) => void kept.set(path, response),
        keys: async () => [...kept.keys()].map((path) => ({ url: origin + path })),
        delete: async (at: string | { url: string }) => kept.delete(pathOf(at)),
      };
    },
    keys: async () => [...caches.keys()],
    match: async () => undefined,
  },
};
const before = Object.fromEntries(Object.keys(around).map((name) => [name, world[name]]));

beforeAll(async () => {
  Object.assign(world, around);
  await import("./sw.ts");
});
afterAll(() => void Object.assign(world, before));
beforeEach(() => {
  [asked, opened, shown, closed] = [[], [], [], []];
  [windows, notices] = [[], []];
  answer = () => new Response("fresh");
});

/** Dispatches an event to the worker. Returns its response once all of its `waitUntil` work is done. */
async function tell(type: string, event: object): Promise<Response | undefined> {
  const work: Promise<unknown>[] = [];
  let [said, isStopped]: [Promise<Response> | undefined, boolean] = [undefined, false];
  const whole = {
    ...event,
    waitUntil: (more: Promise<unknown>) => work.push(more),
    respondWith: (response: Promise<Response>) => {
      said = response;
    },
    stopImmediatePropagation: () => {
      isStopped = true;
    },
  };
  for (const listener of listeners.get(type) ?? []) if (!isStopped) listener(whole);
  await Promise.all(work);
  return said;
}

function asks(url: string, more: object = {}): Promise<Response | undefined> {
  const request = new Request(url);
  for (const [name, value] of Object.entries({ mode: "cors", keepalive: false, ...more }))
    Object.defineProperty(request, name, { value });
  return tell("fetch", { request });
}

test("a later part of the page is asked for once, and kept; what failed is not, nor what another host has", async () => {
  const part = `${origin}/assets/part-a1.js`;
  answer = () => new Response("busy", { status: 503 });
  expect((await asks(part))?.status).toBe(503);
  answer = () => new Response("fresh");
  for (const _ of [1, 2]) expect(await (await asks(part))?.text()).toBe("fresh");
  expect(asked).toEqual(["/assets/part-a1.js", "/assets/part-a1.js"]);
  expect(await asks("https://other.example/assets/part-a1.js")).toBeUndefined();
  expect(await asks(`${origin}/assets/unheard-of.js`)).toBeUndefined();
});

test("parts of a former version go when this one begins", async () => {
  const parts = caches.get("hearth-parts") ?? new Map<string, Response>();
  caches.set("hearth-parts", parts);
  for (const path of ["/assets/part-a1.js", "/assets/part-of-before.js"])
    parts.set(path, new Response("kept"));
  await tell("activate", {});
  expect([...parts.keys()]).toEqual(["/assets/part-a1.js"]);
});

test("pages come from the network, and are missed without one; what is no page goes by, but what outlives its page", async () => {
  const navigation = { mode: "navigate" };
  expect(await (await asks(`${origin}/servers/1`, navigation))?.text()).toBe("fresh");
  answer = () => {
    throw new Error("no network");
  };
  expect((await asks(`${origin}/servers/1`, navigation))?.type).toBe("error");
  for (const path of ["/api/v1/auth/me", "/files/a.png", "/docs", "/ws"])
    expect([path, await asks(origin + path, navigation)]).toEqual([path, undefined]);
  answer = () => new Response("done");
  expect(await asks(`${origin}/api/v1/messages/1`)).toBeUndefined();
  expect(await (await asks(`${origin}/api/v1/messages/1`, { keepalive: true }))?.text()).toBe("done");
});

/** Returns a displayed notification about a message in a channel. */
function standing(channelId: string, messageId: string) {
  return { data: { channelId, messageId }, close: () => void closed.push(messageId) };
}

const push = (url: string) =>
  tell("push", {
    data: {
      json: () => ({ type: "mention", title: "dave", body: "", url, channel_id: "c", message_id: "2" }),
    },
  });

test("a push shows its message in place of earlier ones of the channel, and none of another; an open page hears of it", async () => {
  notices = [standing("c", "1"), standing("c", "2"), standing("d", "3"), { data: null, close: () => {} }];
  const heard: string[] = [];
  const page = (url: string) => ({
    url,
    focus: async () => {},
    postMessage: ({ type }: { type: string }) => void heard.push(`${type} ${url}`),
  });
  windows = [page(`${origin}/servers/1`), page(`${origin}/docs/`)];
  await push("https://other.example/servers/1/channels/c?a=b#e");
  expect([shown, closed]).toEqual([["dave 2 /servers/1/channels/c?a=b#e"], ["1"]]);
  expect(heard).toEqual([`shown ${origin}/servers/1`]);
});

test("the push of a call takes the place of an earlier call there, and of no message; nothing that is read later closes it", async () => {
  notices = [standing("c", "1")];
  const call = {
    type: "call",
    title: "dave",
    body: "Incoming call",
    url: `${origin}/direct/c`,
    channel_id: "c",
  };
  await tell("push", { data: { json: () => call } });
  expect([shown, closed]).toEqual([["dave call c /direct/c"], []]);
});

test("a notification leads to this Hearth alone, whatever its push says, in a page that is open if one goes there", async () => {
  await push("https://chat.example//other.example/");
  const click = (path: string) => tell("notificationclick", { notification: { close() {}, data: { path } } });
  await click("//other.example/");
  await click("/servers/1");
  expect(opened.map((url) => new URL(url).origin)).toEqual([origin, origin]);
  expect(opened[1]).toBe(`${origin}/servers/1`);
  const gone: unknown[] = [];
  const postMessage = (said: object, [port]: MessagePort[] = []) => {
    gone.push(said);
    port?.postMessage(true);
  };
  windows = [{ url: `${origin}/`, focus: () => Promise.reject(new Error("refused")), postMessage }];
  await click("/servers/2");
  expect([gone, opened.length]).toEqual([[{ type: "open", path: "/servers/2" }], 2]);
});

test("a page hears whether the worker is of its own build, by the scripts that it began with", async () => {
  const told: unknown[] = [];
  const ports = [{ postMessage: (said: unknown) => void told.push(said) }];
  for (const paths of [["/assets/start-b2.js"], ["/assets/start-b2.js", "/assets/start-c3.js"]])
    await tell("message", { data: { type: "HAS", paths }, ports });
  expect(told).toEqual([true, false]);
});

test("a newer version takes over when the page's reader wants it", async () => {
  await tell("message", { data: { type: "KEEP", paths: ["/assets/unheard-of.js"] }, ports: [] });
  expect([opened, asked]).toEqual([[], []]);
  await tell("message", { data: { type: "SKIP_WAITING" }, ports: [] });
  expect(opened).toEqual(["skipped"]);
});
