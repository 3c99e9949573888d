// Expensive calls: how much they draw from the rate limit, and how many of one account run concurrently.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { costByLimit, mostCost } from "../../protocol/cost.ts";
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Operation, operation } from "../../protocol/operation.ts";
import { costOf } from "../../server/caller/dear.ts";
import { features } from "../../server/features.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import { send, type TestPerson } from "../house/people/people.ts";
import { expectRefusal } from "../routes/error-body.ts";
import { routes, titleOf } from "../routes/walk.ts";

const dear = operation({
  name: "countToTen",
  method: "GET",
  path: "/slowly/{name}",
  summary: "Answers when the test says so",
  caller: "account",
  lane: "read",
  cost: { worst: 2 },
  params: z.object({ name: z.string() }),
  answers: { 200: { description: "Done", body: z.string() } },
});

const dearWrite = operation({
  ...dear,
  name: "writeToTen",
  method: "POST",
  lane: "own",
  answers: { 200: { description: "Done", body: z.string() } },
});

const dearFile = operation({
  ...dear,
  name: "sendToTen",
  method: "PUT",
  lane: "own",
  consumes: "text/plain",
  answers: { 200: { description: "Done", body: z.string() } },
});

/** Ends the calls that are running, by name. */
const under = new Map<string, () => void>();

async function takeTime({ params: { name } }: { params: { name: string } }) {
  if (name === "refused") throw new Refusal("conflict", "This is taken.");
  await new Promise<void>((end) => under.set(name, end));
  under.delete(name);
  return name;
}

const slow: Feature = {
  name: "slow",
  operations: [
    handle(dear, takeTime),
    handle(dearWrite, takeTime),
    handle(dearFile, async (call) => {
      const { name } = call.params;
      under.set(`${name} arrives`, () => {});
      await call.request.raw.text();
      return call.request.carryOut(() => takeTime(call));
    }),
  ],
};

let house: TestHouse;
let alice: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", { RATE_LIMITS: "on", LOG_LEVEL: "silent" });
  house.features = [...features, slow];
  await house.open();
  [alice, bob] = [await house.person("alice"), await house.person("bob")];
});
afterAll(() => house.end());

async function beganAll(...names: string[]): Promise<void> {
  while (!names.every((name) => under.has(name))) await Bun.sleep(5);
}

/** Repeats the call after a 429: it may wait in vain where the machine stands still for seconds. */
async function patiently<T extends { status: number }>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 429) return answer;
    await Bun.sleep(100);
  }
}

/** Waits, by means of other calls, long enough for a call that may begin to begin. */
async function others(): Promise<void> {
  for (let i = 0; i < 20; i++) await bob.get("/auth/me");
}

test("two of an account are under way, over its sessions and bots; the third begins when one of them ends", async () => {
  const login = { email: alice.username, password: alice.password };
  const phone = (await alice.post("/auth/login/password", login)).headers.get("x-session-token") ?? "";
  const bot = await TestBot.make(alice);

  const first = alice.get("/slowly/first");
  const second = send(house, phone, "GET", "/slowly/second");
  await beganAll("first", "second");
  const third = patiently(() => bot.get("/slowly/third"));
  const stranger = bob.get("/slowly/stranger");
  await beganAll("stranger");
  await others();
  expect([...under.keys()].sort()).toEqual(["first", "second", "stranger"]);

  under.get("second")?.();
  await beganAll("third");
  for (const end of under.values()) end();
  const answers = await Promise.all([first, second, third, stranger]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test("files arrive side by side, then have their turn with other dear calls, and wait longer for it than these", async () => {
  const names = ["film", "song", "photo", "text"];
  const uploads = names.map((name) => alice.put(`/slowly/${name}`, {}));
  await beganAll(...names.map((name) => `${name} arrives`));
  while (names.filter((name) => under.has(name)).length < 2) await Bun.sleep(5);
  await others();
  expect(names.filter((name) => under.has(name))).toHaveLength(2);
  expectRefusal(await alice.get("/slowly/read"), "rate_limited");
  // By now a call without a file would have been refused after its wait.
  let areDone = false;
  const done = Promise.all(uploads).finally(() => (areDone = true));
  while (!areDone) {
    for (const name of names) under.get(name)?.();
    await Bun.sleep(5);
  }
  expect((await done).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  under.clear();
});

test("who hangs up while they wait lets the next one begin in their place", async () => {
  const running = [alice.get("/slowly/one"), alice.get("/slowly/two")];
  await beganAll("one", "two");
  const impatient = new AbortController();
  const headers = { Authorization: `Bearer ${alice.token}` };
  const gone = fetch(`${house.url}/api/v1/slowly/gone`, { headers, signal: impatient.signal });
  await others();
  const next = patiently(() => alice.get("/slowly/next"));
  await others();
  impatient.abort();
  await expect(gone).rejects.toThrow();
  await others();
  under.get("one")?.();
  await beganAll("next");
  expect(under.has("gone")).toBe(false);
  for (const end of under.values()) end();
  expect((await Promise.all([...running, next])).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test("who waits in vain is told to come again, and nothing of it is carried out", async () => {
  const running = [alice.get("/slowly/long"), alice.get("/slowly/longer")];
  await beganAll("long", "longer");
  const refused = await alice.get("/slowly/never");
  expectRefusal(refused, "rate_limited");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(under.has("never")).toBe(false);
  for (const end of under.values()) end();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
});

test("of dear writes four are under way, whoever makes them, and reads go on beside them", async () => {
  const people = await Promise.all(["ed", "fay", "gil"].map((name) => house.person(name)));
  const writes = people.flatMap((person, i) =>
    ["one", "two"].map((name) => patiently(() => person.post(`/slowly/${name}${i}`))),
  );
  while (under.size < 4) await Bun.sleep(5);
  const read = bob.get("/slowly/beside");
  await beganAll("beside");
  await others();
  expect(under.size).toBe(5);
  while (under.size > 0) {
    for (const end of under.values()) end();
    await Bun.sleep(5);
  }
  expect((await Promise.all([...writes, read])).map(({ status }) => status)).toEqual(Array(7).fill(200));
});

test("dear writes that do not end give their places to others, of whom none waits without end", async () => {
  const people = await Promise.all(["jo", "kay", "lea", "mo", "nan", "oz"].map((name) => house.person(name)));
  const writes = people.flatMap((person, i) =>
    ["held", "heldtoo"].map((name) => person.post(`/slowly/${name}${i}`)),
  );
  // Eight run at once, though none of the first four has ended.
  while (under.size < 8) await Bun.sleep(5);
  const isOver = Promise.withResolvers<void>();
  const refused: number[] = [];
  for (const write of writes)
    write.then(({ status }) => {
      if (refused.push(status) === 4) isOver.resolve();
    });
  await isOver.promise;
  expect(refused).toEqual(Array(4).fill(429));
  for (const end of under.values()) end();
  const answers = await Promise.all(writes);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
}, 400_000);

test("a dear write that is refused tells that its caller, and is no failure of the program", async () => {
  expectRefusal(await alice.post("/slowly/refused"), "conflict");
});

test("a session that ends while its call waits gets nothing", async () => {
  const carol = await house.person("carol");
  const running = [carol.get("/slowly/a"), carol.get("/slowly/b")];
  await beganAll("a", "b");
  const waiting = carol.get("/slowly/c");
  await Bun.sleep(100);
  expect((await carol.post("/auth/logout")).status).toBe(204);
  for (const end of under.values()) end();
  expect((await waiting).status).toBe(401);
  await Promise.all(running);
});

describe("where little flows in", () => {
  const perSecond = 0.01;
  let strict: TestHouse;
  let dave: TestPerson;
  let members: string;
  beforeAll(async () => {
    strict = await makeHouse("SQLite", { RATE_LIMITS: "on", LOG_LEVEL: "silent" });
    await strict.open();
    // Less than the setting allows, so that no token flows in while the machine stands still for seconds.
    strict.running.house.config.rates.all.perSecond = perSecond;
    dave = await strict.person("dave");
    members = `/servers/${(await dave.makeServer()).id}/members`;
  });
  afterAll(() => strict.end());

  async function call(query: string) {
    const { status, headers } = await dave.get(members + query);
    const number = (name: string) => Number(headers.get(name));
    return { status, left: number("x-ratelimit-remaining"), retryAfterS: number("retry-after") };
  }

  test("a page of 1,000 members draws ten calls, one of 25 draws one", async () => {
    const before = await call("?limit=25");
    const dear = await call("?limit=1000");
    const after = await call("?limit=25");
    expect([dear.left - before.left, after.left - dear.left]).toEqual([-10, -1]);
  });

  test("a call for which too little is left draws one, and tells when there will be enough for it", async () => {
    let last = await call("");
    while (last.left >= 10) last = await call("");
    expect(last.left).toBeGreaterThan(2);
    const refused = await call("");
    expect(refused).toMatchObject({ status: 429, left: last.left - 1 });
    // The bucket has nine tokens and a fraction, or fewer.
    expect(refused.retryAfterS).toBeWithin(
      (9 - refused.left) / perSecond,
      (10 - refused.left) / perSecond + 1,
    );
    for (let left = refused.left - 1; left >= 0; left--)
      expect(await call("")).toMatchObject({ status: 429, left });
    expect((await call("?limit=25")).status).toBe(429);
  });
});

test("a cost by the length of a page", () => {
  const cost = costByLimit(1000, 100);
  const of = (limit?: number) => costOf({ ...dear, cost } as never, { limit });
  expect([of(), of(1000), of(5000), of(999), of(100), of(25), of(0), of(-3)]).toEqual([
    10, 10, 10, 10, 1, 1, 1, 1,
  ]);
});

test("the descriptions name what each dear operation draws, and no other's", async () => {
  const documents = await Promise.all(
    ["openapi.json", "swagger.json"].map(async (name) => {
      const answer = await fetch(`${house.url}/docs/${name}`);
      return (await answer.json()) as { paths: Record<string, Record<string, { "x-cost"?: number }>> };
    }),
  );
  for (const { operation } of routes) {
    for (const { paths } of documents) {
      const described = paths[operation.path]?.[operation.method.toLowerCase()];
      expect([titleOf(operation), described?.["x-cost"]]).toEqual([
        titleOf(operation),
        operation.cost?.worst,
      ]);
    }
  }
});

/** Lists without pages that need no cost, because a limit keeps them short: the most entries of each. */
const shortLists: Readonly<Record<string, number>> = {
  listBadges: limits.badges_max,
  listBadgesOf: limits.badges_per_person_max,
  listBots: limits.bots_owned_max,
  listEvents: 2 * limits.events_live_max,
  listMemberRoles: limits.roles_per_server_max,
  listOverrides: limits.channel_overrides_max,
  listPasskeys: limits.passkeys_max,
  listRoles: limits.roles_per_server_max,
  listServers: limits.servers_joined_max,
  listSessions: limits.sessions_max,
  listVoiceParticipants: limits.presences_max,
  listWebhooks: limits.webhooks_per_channel_max,
};

const isList = ({ answers }: Operation) => answers[200]?.body instanceof z.ZodArray;
const longestPage = ({ query }: Operation) =>
  Number(/1 to (\d+)/.exec(query?.shape.limit?.description ?? "")?.[1] ?? Number.POSITIVE_INFINITY);

test("a list whose page may be longer than a hundred entries has a cost; one without pages that stays short is known", () => {
  const free = routes.filter(({ operation }) => isList(operation) && !operation.cost);
  const long = free.filter(({ operation }) => longestPage(operation) > limits.page_max);
  expect(long.map(({ operation }) => operation.name).sort()).toEqual(Object.keys(shortLists).sort());
});

for (const { operation } of routes.filter((route) => route.operation.cost)) {
  test(`${titleOf(operation)} declares a cost that can be drawn`, () => {
    expect(operation.caller).not.toBe("public");
    expect(operation.cost?.worst).toBeGreaterThan(1);
    expect(operation.cost?.worst).toBeLessThanOrEqual(mostCost);
    expect(operation.cost?.how === undefined).toBe(operation.cost?.of === undefined);
  });
}
