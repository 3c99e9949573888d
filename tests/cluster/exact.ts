// Limits, counts and uniqueness stay exact on three processes under many concurrent calls.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Message } from "../../features/messages/contract.ts";
import type { ReadState } from "../../features/read-states/contract.ts";
import { gathering } from "../../features/read-states/gathering.ts";
import type { Role } from "../../features/roles/contract.ts";
import type { Server } from "../../features/servers/contract.ts";
import { insisted } from "../house/machine/insisted.ts";
import { promptly, until } from "../house/machine/waiting.ts";
import { at, canCluster, type OpenCluster, openCluster } from "../house/open/cluster.ts";
import { send, type TestPerson } from "../house/people/people.ts";

const title = canCluster ? "three processes" : "three processes (skipped: no PostgreSQL or no Redis here)";

/** `calls`: number of concurrent calls for the same thing. */
export function areExact(calls: number): void {
  describe.skipIf(!canCluster)(title, () => ofCalls(calls));
  describe.skipIf(!canCluster)(`${title}, with limits`, withLimits);
}

function ofCalls(calls: number): void {
  let cluster: OpenCluster;
  let alice: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let guests: TestPerson[];

  const urlOf = (i: number) => cluster.houses[i % cluster.houses.length]!.url;
  const person = async (name: string) => at(urlOf(0), await cluster.houses[0]!.person(name));

  /** Makes concurrent calls, each to the next process. */
  function atOnce<T extends { status: number }>(
    call: (url: string, i: number) => Promise<T>,
    count = calls,
  ): Promise<T[]> {
    return Promise.all(Array.from({ length: count }, (_, i) => insisted(() => call(urlOf(i), i))));
  }

  function onEach<T>(read: (url: string) => Promise<T>): Promise<T[]> {
    return Promise.all(cluster.houses.map(({ url }) => read(url)));
  }

  function counted(answers: readonly { status: number }[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  beforeAll(async () => {
    cluster = await openCluster(3);
    alice = await person("alice");
    home = await alice.makeServer();
    guests = [];
    for (let i = 0; i < 20; i++) guests.push(await person(`guest${i}`));
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  test("an invite for seven lets seven in, and the count of members is theirs", async () => {
    const garden = await alice.makeServer("Garden");
    const { body: invite } = await alice.post<{ code: string }>("/invites", {
      server_id: garden.id,
      max_uses: 7,
    });
    const answers = await atOnce((url, i) =>
      at(url, guests[i % guests.length]!).post(`/invites/${invite.code}/join`),
    );
    // A member who joins again gets a 200, too, and uses up no place.
    const members = await alice.get<unknown[]>(`/servers/${garden.id}/members`);
    expect(members.body).toHaveLength(8);
    expect(Object.keys(counted(answers)).sort()).toEqual(["200", "410"]);
    const server = await alice.get<Server>(`/servers/${garden.id}`);
    expect(server.body.member_count).toBe(8);
  });

  test("a name is one person's", async () => {
    const answers = await atOnce(
      (url, i) =>
        send({ url }, undefined, "POST", "/auth/register", {
          username: i % 2 ? "sought-after" : "Sought-After",
          email: `one${i}@example.org`,
          display_name: "One of many",
          password: "correct horse battery",
        }),
      30,
    );
    expect(counted(answers)).toEqual({ 201: 1, 409: 29 });
  });

  test("of a bot's tokens one lives", async () => {
    const { body: bot } = await alice.post<{ id: string; token: string }>("/bots", { name: "Gardener" });
    const made = await atOnce((url) =>
      at(url, alice).post<{ token: string }>(`/bots/${bot.id}/regenerate-token`),
    );
    expect(counted(made)).toEqual({ 200: calls });
    const tokens = [bot.token, ...made.map(({ body }) => body.token)];
    await until(async () => {
      const tries = await atOnce(
        (url, i) =>
          send({ url }, undefined, "GET", "/servers", undefined, { Authorization: `Bot ${tokens[i]}` }),
        tokens.length,
      );
      return tries.filter(({ status }) => status === 200).length === 1;
    }, "not one token lives");
  });

  test("a server has one default role, whatever is done to its roles at once", async () => {
    const garden = await alice.makeServer("Roles");
    const made = await atOnce(
      (url, i) => at(url, alice).post<Role>(`/servers/${garden.id}/roles`, { name: `role ${i}` }),
      60,
    );
    expect(counted(made)).toEqual({ 201: 60 });
    await atOnce((url, i) => {
      const path = `/servers/${garden.id}/roles/${made[i % 60]!.body.id}`;
      return i % 2
        ? at(url, alice).patch(path, { name: `again ${i}`, position: (i % 5) + 1 })
        : at(url, alice).delete(path);
    });
    const { body: roles } = await alice.get<Role[]>(`/servers/${garden.id}/roles`);
    expect(roles.filter((role) => role.is_default).map(({ id }) => id)).toEqual([garden.everyone.id]);
    expect(roles).toHaveLength(31);
  });

  test("a nonce is one message, and everybody who sent it is answered with that", async () => {
    const path = `/channels/${home.general.id}/messages`;
    const answers = await atOnce((url) =>
      at(url, alice).post<Message>(path, { content: "once", nonce: "the one" }),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(counted(answers)[409]).toBeUndefined();
    const { body: page } = await alice.get<Message[]>(path);
    expect(page.filter(({ content }) => content === "once")).toHaveLength(1);
  });

  test("a reaction counts once for each person", async () => {
    const said = await alice.say(home.general.id, "react to me");
    await alice.bringIn(home.id, ...guests);
    const path = `/messages/${said.id}/reactions`;
    const answers = await atOnce((url, i) => at(url, guests[i % 20]!).post(path, { emoji: "🌱" }));
    expect(Object.keys(counted(answers))).toEqual(["204"]);
    const { body: page } = await alice.get<Message[]>(`/channels/${home.general.id}/messages`);
    const shown = page.find(({ id }) => id === said.id);
    expect(shown).toMatchObject({ reactions: [{ emoji: "🌱", count: 20 }] });
  });

  test("a marker is one of those that were set, and what calls after it is counted to the last one", async () => {
    const [bob] = guests;
    await alice.bringIn(home.id, bob!);
    const path = `/channels/${home.general.id}/messages`;
    const posted = await atOnce((url) =>
      at(url, alice).post<Message>(path, { content: `<@${bob!.id}> come` }),
    );
    const ids = posted.map(({ body }) => body.id).toSorted();
    const read = await atOnce((url, i) =>
      at(url, bob!).put(`/channels/${home.general.id}/read`, {
        message_id: ids[calls / 2 + (i % (calls / 2))],
      }),
    );
    expect(counted(read)).toEqual({ 204: calls });
    const statesNow = () =>
      onEach(async (url) => {
        const ear = await at(url, bob!).listen();
        ear.close();
        const { read_states } = ear.ready as unknown as { read_states: ReadState[] };
        return read_states.find(({ channel_id }) => channel_id === home.general.id)!;
      });
    const placeOf = ({ last_read_id }: ReadState) => ids.indexOf(last_read_id ?? "");
    // Each process stores its gathered markers after a delay.
    await promptly(async () => {
      const [first, ...others] = await statesNow();
      const isCounted = first!.mention_count === calls - 1 - placeOf(first!);
      return isCounted && others.every((state) => Bun.deepEquals(state, first!));
    });
    const [state] = await statesNow();
    expect(placeOf(state!)).toBeGreaterThanOrEqual(calls / 2);
  });

  test("of two markers the later one holds, whichever process it goes to, and a READY elsewhere has it", async () => {
    const carol = guests[1]!;
    await alice.bringIn(home.id, carol);
    const [early, late] = [
      await alice.say(home.general.id, "early"),
      await alice.say(home.general.id, "late"),
    ];
    const path = `/channels/${home.general.id}/read`;
    const other = await alice.makeServer();
    await alice.bringIn(other.id, carol);
    const there = await alice.say(other.general.id, "there");
    await at(urlOf(1), carol).put(`/channels/${other.general.id}/read`, { message_id: there.id });
    await at(urlOf(0), carol).put(path, { message_id: early.id });
    await at(urlOf(1), carol).put(path, { message_id: late.id });
    const markerAt = async (url: string) => {
      const ear = await at(url, carol).listen();
      const { read_states } = ear.ready as unknown as { read_states: ReadState[] };
      return read_states.find(({ channel_id }) => channel_id === home.general.id)?.last_read_id;
    };
    await promptly(async () => (await onEach(markerAt)).every((id) => id === late.id));
    // The result stays when both have stored their markers, the one with the later marker first.
    for (const i of [1, 0]) await gathering(cluster.houses[i]!.running.house).store();
    expect(await onEach(markerAt)).toEqual([late.id, late.id, late.id]);
  });
}

function withLimits(): void {
  let cluster: OpenCluster;

  beforeAll(async () => {
    cluster = await openCluster(3, { RATE_LIMITS: "on", RATE_MESSAGES: "1/60", RATE_ALL: "1000/1000" });
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  test("a person may do as much as on one, within a tenth", async () => {
    const [first] = cluster.houses;
    const alice = await first!.person("alice");
    const home = await alice.makeServer();
    const from = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        at(cluster.houses[i % 3]!.url, alice).post(`/channels/${home.general.id}/messages`, {
          content: `${i}`,
        }),
      ),
    );
    const took = (performance.now() - from) / 1000;
    const allowed = answers.filter(({ status }) => status === 201).length;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 429]));
    expect(allowed).toBeGreaterThanOrEqual(54);
    expect(allowed).toBeLessThanOrEqual(66 + took);
  });

  test("what an address was refused on one, it is refused on the others", async () => {
    const from = { "X-Forwarded-For": "203.0.113.9" };
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) {
      const { status } = await send(
        { url: cluster.houses[i % 3]!.url },
        undefined,
        "POST",
        "/auth/login/password",
        { login: `nobody${i}`, password: "wrong wrong wrong" },
        from,
      );
      statuses.push(status);
      if (status === 429) break;
    }
    expect(statuses.at(-1)).toBe(429);
  });
}
