// Rate limits: buckets per address and per person, the answers of an empty bucket, and who is not limited.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { costOf } from "../../server/caller/dear.ts";
import { features } from "../../server/features.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { type Answer, type Loose, send, type TestPerson } from "../house/people/people.ts";
import { letFlow } from "../house/scenes/flow.ts";
import { expectRefusal } from "../routes/error-body.ts";

// A proxy is trusted, so that a test can act as several clients.
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

/** Makes many calls at once: as many pass as the burst allows, plus the tokens that flowed in while they ran. */
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

/** Checks that both calls draw from one bucket: once the first has emptied it, not all of a burst of the other pass. */
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
    // A round that took long enough to refill the bucket proves nothing: it is repeated with full buckets.
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
    avatars: ["setAvatar", "setBotAvatar", "setServerIcon"],
    calls: ["startCall"],
    direct: ["addRecipient", "openConversation"],
    invites: ["createInvite", "deleteInvite", "getInvite", "joinByInvite", "previewInvite"],
    messages: ["createMessage", "updateMessage"],
    webhooks: ["executeWebhook"],
  });
});

test("every dear operation draws as many calls as are written down for it here", () => {
  const dear = new Map(
    features.flatMap(({ operations = [] }) =>
      operations.flatMap(({ operation }) => (operation.cost ? [[operation.name, operation] as const] : [])),
    ),
  );
  const worst = [...dear].map(([name, { cost }]) => [name, cost?.worst] as const);
  expect(Object.fromEntries(worst)).toEqual({
    ...{ addBotToServer: 2, deleteBot: 2, removeBotFromServer: 2 },
    ...{ banUser: 2, kickMember: 2, listBans: 10, listMembers: 10 },
    ...{ bulkDeleteMessages: 2, createMessage: 3, updateMessage: 3, listReactions: 10 },
    ...{ getNotificationSettings: 2, setChannelNotifications: 3, setServerNotifications: 3 },
    ...{
      listAccounts: 20,
      listAllServers: 20,
      listBlocks: 5,
      listChannels: 2,
      listConversations: 3,
      listInvites: 4,
    },
    ...{ listBotCommands: 4, listServerCommands: 4 },
    ...{ markServerRead: 8, setAvailability: 2, setServerOrder: 2, uploadFile: 3 },
    ...{ setOverride: 5, deleteOverride: 5, updateRole: 3, deleteRole: 20 },
    ...{ setAvatar: 3, setBotAvatar: 3, setServerIcon: 3 },
  });
  const counts = (name: string, query: object) => costOf(dear.get(name) ?? {}, query);
  const limits = [{}, { limit: 5000 }, { limit: 251 }, { limit: 250 }, { limit: -1 }];
  expect(limits.map((query) => counts("listBotCommands", query))).toEqual([4, 4, 2, 1, 1]);
  const members = [{}, { limit: 101 }, { limit: 100 }, { q: "a", limit: 1 }, { ids: [], limit: 1 }];
  expect(members.map((query) => counts("listMembers", query))).toEqual([10, 2, 1, 5, 2]);
  expect([{ q: "a" }, { q: "" }, {}].map((query) => counts("listAccounts", query))).toEqual([20, 1, 1]);
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

  test("a preview of an invite draws from the bucket of invites, without a session too", async () => {
    const preview = () =>
      send(house, undefined, "GET", "/invites/nocode/preview", undefined, from("203.0.113.8"));
    await expectShared(() => lookUp("203.0.113.8"), preview, 2, 5);
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

test("a dear call counts as several of the person's: by what it asks for, and too many are refused", async () => {
  const strict = await makeHouse("SQLite", settings);
  await strict.open();
  letFlow(strict);
  const eve = await strict.person("eve");
  const home = await eve.makeServer();
  const leftAfter = async (path: string) =>
    Number((await eve.get(path)).headers.get("x-ratelimit-remaining"));
  const members = `/servers/${home.id}/members`;
  const calls: [path: string, cost: number][] = [
    ["/auth/me", 1],
    [`${members}?limit=100`, 1],
    [`${members}?limit=101`, 2],
    [`${members}?limit=1000`, 10],
    [`${members}?limit=100000`, 10],
    [members, 10],
    [`${members}?q=eve`, 5],
    [`${members}?ids=${eve.id}`, 2],
  ];
  for (const [path, cost] of calls) {
    const before = await leftAfter("/auth/me");
    expect([path, before - (await leftAfter(path))]).toEqual([path, cost]);
  }
  while ((await leftAfter(members)) >= 10);
  const refused = await eve.get(members);
  expectRefusal(refused, "rate_limited");
  await strict.end();
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
