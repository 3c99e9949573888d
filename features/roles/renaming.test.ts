// Renaming a role changes nobody's permissions: nothing is looked up again, and clients that were away miss nothing.
import { beforeAll, expect, test } from "bun:test";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import type { Role } from "./contract.ts";

const memberCount = 8;

onOneProcess("a role that changes", (house) => {
  let olga: TestPerson;
  let members: TestPerson[];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let role: Role;

  beforeAll(async () => {
    olga = await house().person("olga");
    members = await Promise.all(Array.from({ length: memberCount }, () => house().person("mia")));
    home = await olga.makeServer();
    await olga.bringIn(home.id, ...members);
    role = await olga.giveRole(home.id, members[0] as TestPerson, 0);
    // They stay connected, as everybody who comes or goes is looked up.
    const [first, ...others] = members as [TestPerson, ...TestPerson[]];
    const ear = await first.listen();
    await Promise.all(others.map((each) => each.listen()));
    const seen = (id: string) => ear.heard("PRESENCE_UPDATE").some(({ data }) => String(data.user_id) === id);
    await until(() => others.every(({ id }) => seen(id)), "not all are seen to be connected");
  });

  const path = (id = role.id) => `/servers/${home.id}/roles/${id}`;
  const make = async () => (await olga.post<Role>(`/servers/${home.id}/roles`, { name: "spare" })).body;

  /** How often members were looked up before all listeners have received a message that was posted afterwards. */
  async function lookedUp(change: () => Promise<unknown>): Promise<number> {
    const ears = await Promise.all(members.map((each) => each.listen()));
    const { statements } = await statementsOf(house(), async () => {
      await change();
      const { id } = await olga.say(home.general.id, "heard?");
      await Promise.all(ears.map((ear) => ear.until((frame) => frame.data.id === (id as never))));
    });
    for (const ear of ears) ear.close();
    return statements.filter((text) => /from "members"/.test(text)).length;
  }

  test("its name, colour or position: nobody is looked up again, whoever holds it", async () => {
    const few = 4;
    expect(await lookedUp(() => olga.patch(path(), { name: "Renamed" }))).toBeLessThan(few);
    expect(await lookedUp(() => olga.patch(path(), { color: "#123456", position: 2 }))).toBeLessThan(few);
    expect(await lookedUp(() => olga.patch(path(home.everyone.id), { color: "#654321" }))).toBeLessThan(few);
    const spare = await make();
    expect(await lookedUp(() => olga.delete(path(spare.id)))).toBeLessThan(few);
  });

  test("its permissions: everybody is, in one question, so that nobody hears what they may not", async () => {
    const renamed = await lookedUp(() => olga.patch(path(), { name: "Once more" }));
    const permissions = permission.KICK_MEMBERS;
    expect(await lookedUp(() => olga.patch(path(), { permissions }))).toBe(renamed + 1);
  });

  test("who was away picks up where they were, unless it changed what they may do or hold", async () => {
    const mia = members[0] as TestPerson;
    const afterwards = async (change: () => Promise<unknown>) => {
      const ear = await mia.listen();
      const cut = cutOf(ear);
      ear.close();
      await ear.closed;
      await change();
      const again = await mia.listen(cut);
      again.close();
      return again.types;
    };
    expect(await afterwards(() => olga.patch(path(), { name: "Again" }))).toEqual(["ROLE_UPDATE", "RESUMED"]);
    const spare = await make();
    expect(await afterwards(() => olga.delete(path(spare.id)))).toEqual(["ROLE_DELETE", "RESUMED"]);
    const everyone = { permissions: defaultPermissions | permission.KICK_MEMBERS };
    expect(await afterwards(() => olga.patch(path(), { permissions: 0 }))).toEqual(["READY"]);
    expect(await afterwards(() => olga.patch(path(home.everyone.id), everyone))).toEqual(["READY"]);
    expect(await afterwards(() => olga.delete(path()))).toEqual(["READY"]);
  });
});

function cutOf(ear: Ear): { epoch: string; streams: Record<string, number> } {
  const { epoch, servers } = ear.ready as unknown as {
    epoch: string;
    servers: { id: string; seq: number }[];
  };
  return { epoch, streams: Object.fromEntries(servers.map(({ id, seq }) => [id, seq])) };
}
