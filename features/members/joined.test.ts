// The limit of servers per account: by invite, by being added, by making one; earlier memberships beyond it stay.
import { expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import type { Answer, TestPerson } from "../../tests/house/people/people.ts";

const most = limits.servers_joined_max;

async function inviteTo(owner: TestPerson, serverId: string): Promise<string> {
  return (await owner.post<{ code: string }>("/invites", { server_id: serverId })).body.code;
}

const outcome = ({ status, body }: Answer<unknown>) => [
  status,
  (body as { code?: string } | undefined)?.code,
];

onEachEngine("an account in as many servers as it may be in", (house) => {
  /** Olga has a server; Mia has very many, and `who`, or Bob, is in `count` of them. */
  async function crowded(count: number, who?: { id: string }) {
    const [olga, mia, bob] = [
      await house().person("olga"),
      await house().person("mia"),
      who ?? (await house().person("bob")),
    ];
    const ids = await fillServers(house().running.house, count, [mia, bob], { channels: 0, roles: 1 });
    return { olga, mia, bob: bob as TestPerson, home: await olga.makeServer(), first: ids[0] ?? "" };
  }

  test("cannot join one more or make one; it can once it has left one, and is told again what it is in", async () => {
    const { olga, mia, bob, home, first } = await crowded(most);
    const code = await inviteTo(olga, home.id);
    expect(outcome(await bob.post(`/invites/${code}/join`))).toEqual([409, "conflict"]);
    expect(outcome(await bob.post("/servers", { name: "More" }))).toEqual([409, "conflict"]);
    expect((await bob.get<unknown[]>("/servers")).body).toHaveLength(most);
    expect((await olga.get(`/servers/${home.id}`)).body.member_count as unknown).toBe(1);
    const again = await inviteTo(mia, first);
    expect((await bob.post(`/invites/${again}/join`)).status).toBe(200);
    await bob.delete(`/servers/${first}/members/@me`);
    expect((await bob.post(`/invites/${code}/join`)).status).toBe(200);
    expect(outcome(await bob.post(`/invites/${again}/join`))).toEqual([409, "conflict"]);
  });

  test("who is in more stays, and hears of all", async () => {
    const { bob } = await crowded(most + 20);
    const ear = await bob.listen();
    expect(ear.ready.servers).toHaveLength(most + 20);
    expect(outcome(await bob.post("/servers", { name: "More" }))).toEqual([409, "conflict"]);
  });

  test("the banned are told that they are banned", async () => {
    const { olga, bob, home } = await crowded(most);
    await olga.put(`/servers/${home.id}/bans/${bob.id}`);
    const code = await inviteTo(olga, home.id);
    expect(outcome(await bob.post(`/invites/${code}/join`))).toEqual([403, "banned"]);
  });

  test("of many who join side by side as one person as many get in as there is room", async () => {
    const { olga, bob } = await crowded(most - 2);
    const homes = await Promise.all(Array.from({ length: 6 }, () => olga.makeServer()));
    const codes = await Promise.all(homes.map(({ id }) => inviteTo(olga, id)));
    const joins = await Promise.all(codes.map((code) => bob.post(`/invites/${code}/join`)));
    expect(joins.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
  });

  test("a bot is no exception; where it is in already it stays", async () => {
    const nina = await house().person("nina");
    const bot = await TestBot.make(nina);
    const [known, other] = [await nina.makeServer(), await nina.makeServer()];
    await bot.enter(known.id);
    await crowded(most - 1, bot);
    const enter = (server_id: string) => nina.post(`/bots/${bot.id}/servers`, { server_id });
    expect(outcome(await enter(other.id))).toEqual([409, "conflict"]);
    expect((await enter(known.id)).status).toBe(204);
  });

  test("the limit stands with the others", async () => {
    const { body } = await (await house().person("ada")).get<{ limits: Record<string, number> }>("/instance");
    expect(body.limits.servers_joined_max).toBe(500);
  });
});
