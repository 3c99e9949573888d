// A client's connection on bad networks and gateways: it resumes where it was, or says why it does not.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { longestMs, toldToWaitMs } from "../../client/back-off.ts";
import { limits } from "../../protocol/limits.ts";
import { socketsMax } from "../../server/gateway/bounds.ts";
import { freePort } from "../house/machine/port.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { Listener } from "../house/people/listener.ts";
import type { TestPerson } from "../house/people/people.ts";
import { HandClock } from "./hand-clock.ts";
import { Relay } from "./relay.ts";

let house: TestHouse;
let relay: Relay;
let alice: TestPerson;
let bob: TestPerson;
let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
let clock: HandClock;
const opened: Listener[] = [];

beforeAll(async () => {
  // A fixed port, so that the client finds the house after a restart.
  house = await makeHouse("SQLite", { PORT: String(await freePort()) });
  await house.open();
  relay = await Relay.to(() => house.url);
  alice = await house.person("alice");
});
afterAll(async () => {
  relay.close();
  await house.end();
});
beforeEach(async () => {
  for (const listener of opened.splice(0)) listener.close();
  relay.restore();
  clock = new HandClock();
  bob = await house.person("bob");
  home = await alice.makeServer();
  await alice.bringIn(home.id, bob);
});

/** Bob's connection through the relay; the random part of each backoff is half of its range. */
function connect(more: { token?: string; url?: string } = {}): Listener {
  const { later } = clock;
  const listener = new Listener({ url: relay.gateway, token: bob.token, later, random: () => 0.5, ...more });
  opened.push(listener);
  return listener;
}

async function live(): Promise<Listener> {
  const listener = connect();
  await listener.next("READY");
  await listener.untilIt("live");
  return listener;
}

function said(listener: Listener): string[] {
  return listener.heard("MESSAGE_CREATE").map(({ data }) => String(data.content));
}

/** Moves the clock to the next retry. */
async function again(listener: Listener): Promise<void> {
  const { state } = listener.connection;
  if (state.is !== "waiting") throw new Error(`it is ${state.is}`);
  clock.turn(state.forMs);
  await listener.untilIt("live");
}

test("Bob, cut off while Alice talks, hears all of it in order, once, without beginning anew", async () => {
  const listener = await live();
  await alice.say(home.general.id, "before");
  await listener.next("MESSAGE_CREATE");
  relay.cut();
  await listener.untilIt("waiting");
  for (const word of ["one", "two", "three"]) await alice.say(home.general.id, word);
  relay.restore();
  await again(listener);
  await alice.say(home.general.id, "after");
  await listener.until(({ data }) => String(data.content) === "after");
  expect(said(listener)).toEqual(["before", "one", "two", "three", "after"]);
  expect(listener.heard("READY")).toHaveLength(1);
  expect(listener.heard("RESUMED")).toHaveLength(1);
});

test("after a restart of the house it goes on where it was, and what was posted since is heard", async () => {
  const listener = await live();
  await house.restart();
  await listener.untilIt("waiting");
  await alice.say(home.general.id, "Back again");
  await again(listener);
  expect(said(listener)).toEqual(["Back again"]);
  expect(listener.heard("READY")).toHaveLength(1);
});

test("Bob, who came into another server while he was cut off, gets a fresh READY and goes on from that", async () => {
  const listener = await live();
  relay.cut();
  await listener.untilIt("waiting");
  const other = await alice.makeServer("Other");
  await alice.bringIn(other.id, bob);
  relay.restore();
  await again(listener);
  expect(listener.heard("READY")).toHaveLength(2);
  expect(Object.keys(listener.resume?.streams ?? {}).sort()).toEqual(["@me", home.id, other.id].sort());
  relay.cut();
  await listener.untilIt("waiting");
  relay.restore();
  await again(listener);
  expect(listener.heard("RESUMED")).toHaveLength(1);
});

test("a gateway that says nothing any more is given up ten seconds after a PING", async () => {
  const listener = await live();
  clock.turn(30_000);
  await listener.next("PONG");
  clock.turn(29_999);
  expect(listener.connection.state.is).toBe("live");
  relay.silence();
  clock.turn(1);
  clock.turn(9_999);
  expect(listener.connection.state.is).toBe("live");
  clock.turn(1);
  expect(listener.connection.state.is).toBe("waiting");
  relay.cut();
  relay.restore();
  await again(listener);
  expect(listener.heard("RESUMED")).toHaveLength(1);
});

test("a page that was asleep finds out at once whether anybody is there", async () => {
  const listener = await live();
  listener.connection.tryNow();
  await listener.next("PONG");
  clock.turn(10_000);
  expect(listener.connection.state.is).toBe("live");
  relay.silence();
  listener.connection.tryNow();
  clock.turn(10_000);
  expect(listener.connection.state.is).toBe("waiting");
});

test("a network that lets nobody in is given up, too", async () => {
  relay.silence();
  const listener = connect();
  await until(() => relay.passed > 0, "nobody came");
  clock.turn(14_999);
  expect(listener.connection.state.is).toBe("connecting");
  clock.turn(1);
  expect(listener.connection.state.is).toBe("waiting");
});

test("AUTH is the first that it says; a gateway that answers nothing to it is given up after a minute", async () => {
  const said: string[] = [];
  const websocket = { message: (_: unknown, text: string | Buffer) => void said.push(String(text)) };
  await using mute = Bun.serve({
    port: 0,
    websocket,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response("", { status: 400 })),
  });
  const listener = connect({ url: `ws://127.0.0.1:${mute.port}/ws` });
  await until(() => said.length > 0, "nothing was said");
  expect(said.map((text) => JSON.parse(text))).toEqual([{ type: "AUTH", data: { token: bob.token } }]);
  clock.turn(59_999);
  expect(listener.connection.state.is).toBe("connecting");
  clock.turn(1);
  expect(listener.connection.state.is).toBe("waiting");
});

test("waits are a share of what grows with each failure up to a bound, and are short again afterwards", async () => {
  const listener = await live();
  relay.cut();
  await listener.untilIt("waiting");
  const waits: number[] = [];
  for (let i = 0; i < 9; i++) {
    const { state } = listener.connection;
    if (state.is !== "waiting") throw new Error(`it is ${state.is}`);
    waits.push(state.forMs);
    const states = listener.states.length;
    clock.turn(state.forMs);
    await until(() => listener.states.length >= states + 2, "it did not fail again");
  }
  const half = longestMs / 2;
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, half, half, half]);
  relay.restore();
  listener.connection.tryNow();
  await listener.untilIt("live");
  // A connection that lasts less than half a minute does not reset the backoff.
  clock.turn(29_999);
  relay.cut();
  await listener.untilIt("waiting");
  expect(listener.connection.state).toEqual({ is: "waiting", forMs: half });
  relay.restore();
  listener.connection.tryNow();
  await listener.untilIt("live");
  clock.turn(30_000);
  await listener.next("PONG");
  relay.cut();
  await listener.untilIt("waiting");
  expect(listener.connection.state).toEqual({ is: "waiting", forMs: 250 });
});

test("Bob, who signs out elsewhere, is told so, and the connection stays away", async () => {
  const listener = await live();
  const { body: sessions } = await bob.get<{ id: string; current: boolean }[]>("/auth/sessions");
  expect(sessions).toHaveLength(1);
  expect((await bob.post("/auth/logout")).status).toBe(204);
  await listener.untilIt("ended");
  expect(listener.connection.state).toEqual({ is: "ended", why: "signed out" });
  const { passed } = relay;
  expect(clock.pending).toBe(0);
  listener.connection.tryNow();
  expect([relay.passed, listener.connection.state.is]).toEqual([passed, "ended"]);
});

test("Bob, who opens more connections than he may, is told that the oldest was replaced; it stays away", async () => {
  await inStrictHouse(async (eve, url) => {
    const listener = connect({ url, token: eve.token });
    await listener.untilIt("live");
    const more = await Promise.all(Array.from({ length: socketsMax }, () => eve.listen()));
    await listener.untilIt("ended");
    expect(listener.connection.state).toEqual({ is: "ended", why: "replaced" });
    expect(clock.pending).toBe(0);
    for (const ear of more) ear.close();
  });
});

test("a token that nobody has, and none at all, end it", async () => {
  for (const token of ["hs_nobody", undefined]) {
    const { later } = clock;
    const listener = new Listener({ url: relay.gateway, ...(token && { token }), later });
    await listener.untilIt("ended");
    expect(listener.connection.state).toEqual({ is: "ended", why: "not authenticated" });
    expect(clock.pending).toBe(0);
  }
});

test("somebody told that it was too much waits longer, whatever they press meanwhile", async () => {
  await inStrictHouse(async (eve, url) => {
    const listener = connect({ url, token: eve.token });
    await listener.untilIt("live");
    for (let i = 0; i <= limits.frames_per_minute; i++) listener.connection.say("PING");
    await listener.untilIt("waiting");
    expect(listener.connection.state).toEqual({ is: "waiting", forMs: toldToWaitMs + 250 });
    listener.connection.tryNow();
    expect(listener.connection.state.is).toBe("waiting");
    await again(listener);
    listener.close();
  });
});

/** Runs with a house that has rate limits. */
async function inStrictHouse(run: (eve: TestPerson, gateway: string) => Promise<void>): Promise<void> {
  const strict = await makeHouse("SQLite", { RATE_LIMITS: "on" });
  await strict.open();
  try {
    await run(await strict.person("eve"), `${strict.url.replace("http", "ws")}/ws`);
  } finally {
    await strict.end();
  }
}

test("what is said while nobody listens is not kept: the caller hears that it was not said", async () => {
  const listener = connect();
  expect(listener.connection.say("PRESENCE_UPDATE", { status: "dnd" })).toBe(false);
  await listener.next("READY");
  await listener.untilIt("live");
  expect(listener.connection.say("PRESENCE_UPDATE", { status: "dnd" })).toBe(true);
  await listener.until(({ type, data }) => type === "PRESENCE_UPDATE" && String(data.status) === "dnd");
  relay.cut();
  await listener.untilIt("waiting");
  expect(listener.connection.say("PRESENCE_UPDATE", { status: "idle" })).toBe(false);
});

test("a connection that is stopped leaves nothing behind, and can be started again where it was", async () => {
  const listener = await live();
  listener.connection.stop();
  expect(listener.connection.state).toEqual({ is: "ended", why: "stopped" });
  expect(clock.pending).toBe(0);
  await alice.say(home.general.id, "meanwhile");
  listener.connection.start();
  await listener.next("RESUMED");
  expect(said(listener)).toEqual(["meanwhile"]);
});
