// T24: guessing, flooding and eavesdropping: what a webhook's URL reveals, and how often it may be called.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { startServer } from "../../tests/house/machine/process.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { type Answer, send, TestPerson } from "../../tests/house/people/people.ts";
import { letFlow } from "../../tests/house/scenes/flow.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

interface Hook {
  id: string;
  token: string;
  url: string;
}

async function makeHooks(alice: TestPerson, ...names: string[]): Promise<Hook[]> {
  const home = await alice.makeServer();
  const hooks = [];
  for (const name of names) {
    hooks.push((await alice.post<Hook>(`/channels/${home.general.id}/webhooks`, { name })).body);
  }
  return hooks;
}

describe("calls of one webhook", () => {
  let house: TestHouse;
  let hooks: Hook[];
  beforeAll(async () => {
    house = await makeHouse("SQLite", { RATE_LIMITS: "on", LOG_LEVEL: "silent" });
    await house.open();
    hooks = await makeHooks(await house.person("alice"), "one", "two", "three");
  });
  afterAll(() => house.end());

  const call = ({ id, token }: Omit<Hook, "url">) =>
    send(house, undefined, "POST", `/webhooks/${id}/${token}`, { content: "x" });

  test("5 a second, 10 at once, at both addresses together; another webhook is left alone", async () => {
    const [one, two] = hooks as [Hook, Hook];
    const begun = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        if (i % 2 === 0) return call(one);
        const answer = await fetch(one.url, { method: "POST", body: '{"content":"x"}' });
        return {
          status: answer.status,
          headers: answer.headers,
          body: await answer.json().catch(() => null),
        };
      }),
    );
    const allowed = 10 + Math.ceil(((performance.now() - begun) / 1000) * 5);
    const passed = answers.filter((answer) => answer.status === 204).length;
    expect(passed).toBeGreaterThanOrEqual(10);
    expect(passed).toBeLessThanOrEqual(allowed);
    const refused = answers.filter((answer) => answer.status !== 204);
    for (const each of refused) expect(verdict(each)).toBe("429 rate_limited");
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await call(two)).status).toBe(204);
  });

  test("a post of a hundred names counts as three, one of forty as one", async () => {
    const three = hooks[2] as Hook;
    const post = (names: number) =>
      send(house, undefined, "POST", `/webhooks/${three.id}/${three.token}`, {
        content: "@x ".repeat(names),
      });
    const left = async (names: number) => {
      const { status, headers } = await post(names);
      return [status, Number(headers.get("x-ratelimit-remaining"))];
    };
    const begun = performance.now();
    const seen = [await left(40), await left(100), await left(100), await left(100)];
    // Some tokens are refilled meanwhile.
    const more = Math.ceil(((performance.now() - begun) / 1000) * 5);
    for (const [index, remaining] of [9, 6, 3, 0].entries()) {
      expect(seen[index]?.[0]).toBe(204);
      expect(seen[index]?.[1]).toBeWithin(remaining, remaining + more + 1);
    }
  });

  test("what cannot be an id or a token names nothing, however often: no bucket is made for it", async () => {
    const tail = "x".repeat(2000);
    const token = `hw_${"g".repeat(43)}`;
    const calls = Array.from({ length: 40 }, (_, i) => call({ id: `${"0".repeat(36)}${i}${tail}`, token }));
    expect(new Set((await Promise.all(calls)).map(verdict))).toEqual(new Set(["404 not_found"]));
  });
});

describe("guesses at the token of a webhook", () => {
  let house: TestHouse;
  let hooks: Hook[];
  beforeAll(async () => {
    const settings = { RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "silent" };
    house = await makeHouse("SQLite", settings);
    await house.open();
    hooks = await makeHooks(await house.person("alice"), "one", "two", "three");
    letFlow(house);
  });
  afterAll(() => house.end());

  /** Makes forty calls at once, of which ten are let through. Returns the responses to those. */
  async function letThrough(call: (i: number) => Promise<Answer<unknown>>): Promise<string[]> {
    const answers = (await Promise.all(Array.from({ length: 40 }, (_, i) => call(i)))).map(verdict);
    const passed = answers.filter((answer) => answer !== "429 rate_limited");
    expect(passed).toHaveLength(10);
    return passed;
  }

  test("are counted together, however the id is written", async () => {
    const one = hooks[0] as Hook;
    const call = ({ id, token }: Omit<Hook, "url">) =>
      send(house, undefined, "POST", `/webhooks/${id}/${token}`, { content: "x" });
    const passed = await letThrough((i) => call({ id: one.id, token: `hw_${String(i).padStart(43, "g")}` }));
    expect(new Set(passed)).toEqual(new Set(["404 not_found"]));
    // In capitals, which would have another bucket, the id names nothing.
    expect(verdict(await call({ ...one, id: one.id.toUpperCase() }))).toBe("404 not_found");
  });

  test("do not use up the calls of who has the token, elsewhere or at the same address", async () => {
    const two = hooks[1] as Hook;
    const from = (ip: string, token: string) =>
      send(
        house,
        undefined,
        "POST",
        `/webhooks/${two.id}/${token}`,
        { content: "x" },
        { "X-Forwarded-For": ip },
      );
    const wrong = `hw_${"g".repeat(43)}`;
    await letThrough(() => from("203.0.113.9", wrong));
    // Calls with the token are counted together wherever they come from, and guesses are not among them.
    const passed = await letThrough((i) => from(`203.0.113.${100 + i}`, two.token));
    expect(new Set(passed)).toEqual(new Set(["204"]));
  });

  test("and posts of a hundred names count as three with the token, each from another address", async () => {
    const { id, token } = hooks[2] as Hook;
    const content = "@x ".repeat(100);
    const from = (ip: string) =>
      send(house, undefined, "POST", `/webhooks/${id}/${token}`, { content }, { "X-Forwarded-For": ip });
    const answers: string[] = [];
    for (let i = 1; i <= 4; i++) answers.push(verdict(await from(`198.51.100.${i}`)));
    expect(answers).toEqual(["204", "204", "204", "429 rate_limited"]);
  });
});

describe("calls of all webhooks of one server", () => {
  let house: TestHouse;
  beforeAll(async () => {
    const settings = { RATE_LIMITS: "on", RATE_SERVER_WEBHOOKS: "1/6", LOG_LEVEL: "silent" };
    house = await makeHouse("SQLite", settings);
    await house.open();
  });
  afterAll(() => house.end());

  const call = ({ id }: Hook, token: string) =>
    send(house, undefined, "POST", `/webhooks/${id}/${token}`, { content: "x" });

  test("share a bound, which guesses do not use up; another server has its own", async () => {
    const alice = await house.person("alice");
    const [one, two, three] = (await makeHooks(alice, "one", "two", "three")) as [Hook, Hook, Hook];
    const [elsewhere] = (await makeHooks(alice, "elsewhere")) as [Hook];
    for (const hook of [one, two, three]) await call(hook, `hw_${"g".repeat(43)}`);
    const begun = performance.now();
    const calls = [one, two, three].flatMap((hook) =>
      Array.from({ length: 7 }, () => call(hook, hook.token)),
    );
    const answers = await Promise.all(calls);
    const refused = answers.filter((answer) => answer.status !== 204);
    expect(21 - refused.length).toBeWithin(6, 8 + (performance.now() - begun) / 1000);
    for (const each of refused) expect(verdict(each)).toBe("429 rate_limited");
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(verdict(await call(elsewhere, elsewhere.token))).toBe("204");
  });

  test("draw from it three times for a post of a hundred names, and no more than once for a plain one", async () => {
    const [one, two] = (await makeHooks(await house.person("alice"), "one", "two")) as [Hook, Hook];
    letFlow(house);
    const post = async ({ id, token }: Hook, content: string) =>
      verdict(await send(house, undefined, "POST", `/webhooks/${id}/${token}`, { content }));
    const names = "@x ".repeat(100);
    expect(await post(one, names)).toBe("204");
    for (const text of ["a", "b", "c"]) expect(await post(two, text)).toBe("204");
    expect([await post(one, "d"), await post(two, "d")]).toEqual(Array(2).fill("429 rate_limited"));
  });
});

test("the log of a running server says that a webhook was called, and never with what", async () => {
  const folder = temporaryFolder();
  const server = await startServer({ settings: { DATA_DIR: folder.path, LOG_LEVEL: "debug" } });
  const alice = await TestPerson.register(server, "alice");
  const [hook] = (await makeHooks(alice, "Builds")) as [Hook];
  const body = JSON.stringify({ content: "whispered by a machine" });
  const paths = [
    `/webhooks/${hook.id}/${hook.token}`,
    `/api/v1/webhooks/${hook.id}/${hook.token}?wait=true`,
    `/webhooks/${hook.id}/${hook.token.replace("hw_", "%68w_")}`,
    `/webhooks/${hook.id}/${hook.token}/more`,
  ];
  const statuses = [];
  for (const path of paths) statuses.push((await fetch(server.url + path, { method: "POST", body })).status);
  await server.stop();
  folder.remove();

  expect(statuses).toEqual([204, 200, 204, 404]);
  const log = server.stderr();
  expect(log.split(`/webhooks/${hook.id}/…`)).toHaveLength(5);
  expect(log).not.toContain(hook.token.slice(3));
  expect(log).not.toContain("whispered");
});
