// How often one may call: buckets per address and per person, what they answer, and whom they leave alone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { features } from "../../server/features.ts";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import { type Answer, type Loose, send, type TestPerson } from "../house/people.ts";
import { expectRefusal } from "../routes/error-body.ts";

// A proxy is trusted, so that a test can be several clients.
const settings = { RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "silent" };
let house: TestHouse;
let alice: TestPerson;
let bob: TestPerson;
let channel: string;
beforeAll(async () => {
  house = await makeHouse("SQLite", settings);
  await house.open();
  [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const home = await alice.makeServer();
  await alice.bringIn(home.id, bob);
  channel = home.general.id;
});
afterAll(() => house.end());

type Call = (address: string) => Promise<Answer<Loose>>;

const from = (address: string) => ({ "X-Forwarded-For": address });
const signIn: Call = (address) => send(house, undefined, "POST", "/auth/login/password", {}, from(address));
const lookUp: Call = (address) =>
  send(house, alice.token, "GET", "/invites/nocode", undefined, from(address));

/** Many calls at once. What passes is the burst, and what flowed in while they ran. */
async function expectBucket(
  call: () => Promise<Answer<Loose>>,
  perSecond: number,
  burst: number,
): Promise<void> {
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: burst * 3 }, call));
  const seconds = (performance.now() - begun) / 1000;
  const passed = answers.filter((answer) => answer.status !== 429);
  expect(passed.length).toBeGreaterThanOrEqual(burst);
  expect(passed.length).toBeLessThanOrEqual(burst + Math.ceil(perSecond * seconds));
  for (const { headers } of answers) {
    expect(headers.get("x-ratelimit-limit")).toBe(String(burst));
    expect(Number(headers.get("x-ratelimit-remaining"))).toBeLessThan(burst);
    expect(Number(headers.get("x-ratelimit-reset-after"))).toBeGreaterThanOrEqual(0);
  }
  const refused = answers.filter((answer) => answer.status === 429);
  for (const answer of refused) {
    expectRefusal(answer, "rate_limited");
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers.get("x-ratelimit-reset-after"))).toBeLessThanOrEqual(1 / perSecond);
  }
}

/** Both calls draw from one bucket: once the first has emptied it, as many of the other as it holds do not all pass. */
async function expectShared(
  call: () => Promise<Answer<Loose>>,
  other: () => Promise<Answer<Loose>>,
  perSecond: number,
  burst: number,
): Promise<void> {
  for (;;) {
    const begun = performance.now();
    await expectBucket(call, perSecond, burst);
    const answers = await Promise.all(Array.from({ length: burst }, other));
    const refused = answers.filter(({ status }) => status === 429);
    for (const answer of refused) expectRefusal(answer, "rate_limited");
    const secondsToFill = burst / perSecond;
    if ((performance.now() - begun) / 1000 < secondsToFill) return expect(refused.length).toBeGreaterThan(0);
    // So slow a round tells nothing: it is repeated with buckets that are full.
    await Bun.sleep(secondsToFill * 1000);
  }
}

test("every operation draws from the bucket that is written down for it here", () => {
  const counted = features.flatMap(({ operations = [] }) =>
    operations.flatMap(({ operation: { rate, name } }) => (rate ? { rate, name } : [])),
  );
  const byClass = Array.from(
    Map.groupBy(counted, ({ rate }) => rate),
    ([rate, some]) => [rate, some.map(({ name }) => name).sort()],
  );
  expect(Object.fromEntries(byClass)).toEqual({
    auth: [
      "addPasskey",
      "beginPasskey",
      "beginPasskeyLogin",
      "changePassword",
      "forgotPassword",
      "loginWithPasskey",
      "loginWithPassword",
      "register",
      "resetPassword",
    ],
    invites: ["createInvite", "deleteInvite", "getInvite", "joinByInvite"],
    messages: ["createMessage", "updateMessage"],
    webhooks: ["executeWebhook"],
  });
});

describe("per client address", () => {
  test("authentication: 5 a second, 10 at once", async () => {
    await expectBucket(() => signIn("203.0.113.1"), 5, 10);
    expect((await signIn("203.0.113.2")).status).toBe(400);
  });

  test("registering and signing in draw from one bucket", async () => {
    const register = () => send(house, undefined, "POST", "/auth/register", {}, from("203.0.113.3"));
    await expectShared(() => signIn("203.0.113.3"), register, 5, 10);
  });

  test("invites: 2 a second, 5 at once, whoever is signed in there", async () => {
    const join = () => send(house, bob.token, "POST", "/invites/nocode/join", {}, from("203.0.113.4"));
    await expectShared(() => lookUp("203.0.113.4"), join, 2, 5);
    expect((await lookUp("203.0.113.5")).status).toBe(404);
  });

  test("is looked at before origin and shape", async () => {
    const headers = { ...from("203.0.113.6"), Origin: "https://evil.example" };
    const misuse = () => send(house, undefined, "POST", "/auth/login/password", "{", headers);
    await expectShared(() => signIn("203.0.113.6"), misuse, 5, 10);
  });
});

describe("per person", () => {
  test("messages: 10 a second, 20 at once; what is refused is not posted, and others post on", async () => {
    const say = () => alice.post(`/channels/${channel}/messages`, { content: "again" });
    await expectBucket(say, 10, 20);
    expect((await bob.post(`/channels/${channel}/messages`, { content: "And I?" })).status).toBe(201);
    const there = (await bob.get<{ content: string }[]>(`/channels/${channel}/messages?limit=100`)).body;
    const metrics = await (await fetch(`${house.url}/metrics`)).text();
    const [, posted] =
      /hearth_http_requests_total\{operation="createMessage",status="201"\} (\d+)/.exec(metrics) ?? [];
    expect(there.length).toBe(Number(posted));
  });

  test("everything: 50 a second, 100 at once, over all addresses; others are let in", async () => {
    const carol = await house.person("carol");
    let i = 0;
    const read = () =>
      send(house, carol.token, "GET", "/auth/me", undefined, from(`198.51.100.${++i % 250}`));
    await expectBucket(read, 50, 100);
    expect((await bob.get("/auth/me")).status).toBe(200);
  });

  test("a person's other session draws from the same bucket", async () => {
    const dave = await house.person("dave");
    const login = { email: dave.username, password: dave.password };
    const signedIn = await send(house, undefined, "POST", "/auth/login/password", login, from("203.0.113.7"));
    const phone = signedIn.headers.get("x-session-token") ?? "";
    await expectBucket(() => dave.get("/auth/me"), 50, 100);
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => send(house, phone, "GET", "/auth/me")),
    );
    expect(answers.some((answer) => answer.status === 429)).toBe(true);
  });
});

test("RATE_LIMITS=off counts nothing, and says nothing of limits", async () => {
  const open = await makeHouse("SQLite", { LOG_LEVEL: "silent" });
  await open.open();
  const calls = Array.from({ length: 60 }, () => send(open, undefined, "POST", "/auth/login/password", {}));
  for (const { status, headers } of await Promise.all(calls)) {
    expect(status).toBe(400);
    expect(headers.get("x-ratelimit-limit")).toBeNull();
  }
  await open.end();
});
