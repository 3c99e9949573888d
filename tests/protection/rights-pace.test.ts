// Permission changes that affect many have their own rate limit: for each server, and for each person over all servers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../features/roles/contract.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { letFlow } from "../house/scenes/flow.ts";

const settings = {
  RATE_LIMITS: "on",
  RATE_RIGHTS: "1/4",
  RATE_AUTH: "1000/1000",
  RATE_INVITES: "1000/1000",
  RATE_ALL: "1000/1000",
};

describe("changes of what many may do", () => {
  let house: TestHouse;
  beforeAll(async () => {
    house = await makeHouse("SQLite", settings);
    await house.open();
    letFlow(house);
  });
  afterAll(() => house?.end());

  const setEveryone = (person: TestPerson, home: { id: string; everyone: Role }, permissions: number) =>
    person.patch<Role>(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions });

  /** Changes a role back and forth until it is refused; returns the refusal, the last value set, and the count. */
  async function untilRefused(person: TestPerson, home: { id: string }, role: Role) {
    let last = role.permissions;
    for (let i = 0; i < 100; i++) {
      const answer = await person.patch<Role>(`/servers/${home.id}/roles/${role.id}`, { permissions: i % 2 });
      if (answer.status !== 200) return { answer, last, count: i };
      last = i % 2;
    }
    throw new Error("nothing was refused");
  }

  test("are refused with 429 when they come too fast, and change nothing then; elsewhere one goes on", async () => {
    const alice = await house.person("alice");
    const [home, other] = [await alice.makeServer(), await alice.makeServer()];
    const { answer, last, count } = await untilRefused(alice, home, home.everyone);
    expect(count).toBeGreaterThanOrEqual(4);
    expect([answer.status, (answer.body as unknown as { code: string }).code]).toEqual([429, "rate_limited"]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const roles = (await alice.get<Role[]>(`/servers/${home.id}/roles`)).body;
    expect(roles.find(({ is_default }) => is_default)?.permissions).toBe(last);
    expect((await setEveryone(alice, other, 0)).status).toBe(200);
    letFlow(house, 1000);
    await until(async () => (await setEveryone(alice, home, 1 - last)).status === 200, "nothing flows in");
    letFlow(house);
  });

  test("count as well where they are of a role that people hold", async () => {
    const alice = await house.person("alice");
    const home = await alice.makeServer();
    const { body: role } = await alice.post<Role>(`/servers/${home.id}/roles`, { name: "cooks" });
    await alice.put(`/servers/${home.id}/members/${alice.id}/roles`, { role_ids: [role.id] });
    const { answer, count } = await untilRefused(alice, home, role);
    expect(count).toBeGreaterThanOrEqual(4);
    expect(answer.status).toBe(429);
    // All roles of a server share one rate limit.
    expect((await setEveryone(alice, home, 1)).status).toBe(429);
  });

  test("by one person in very many servers are refused all the same; another person goes on", async () => {
    const [alice, bob] = [await house.person("alice"), await house.person("bob")];
    const homes = [];
    for (let i = 0; i < 12; i++) homes.push(await alice.makeServer());
    const changes = homes.flatMap((home) => [0, 1, 2].map((each) => setEveryone(alice, home, each)));
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect((await setEveryone(bob, await bob.makeServer(), 0)).status).toBe(200);
  });

  test("setting up a server is none: roles and channels are made, named and given to one after the other", async () => {
    const [alice, bob] = [await house.person("alice"), await house.person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    for (let i = 0; i < 20; i++) {
      const role = await alice.post<Role>(`/servers/${home.id}/roles`, { name: `role ${i}` });
      expect(role.status).toBe(201);
      const path = `/servers/${home.id}/roles/${role.body.id}`;
      expect((await alice.patch(path, { name: `rank ${i}` })).status).toBe(200);
      const given = { role_ids: [role.body.id] };
      expect((await alice.put(`/servers/${home.id}/members/${bob.id}/roles`, given)).status).toBe(204);
      expect((await alice.post("/channels", { server_id: home.id, name: `room ${i}` })).status).toBe(201);
    }
  });
});
