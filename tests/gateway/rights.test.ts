// Changes of permissions apply to open sockets within a second.
import { expect, test } from "bun:test";
import type { Channel } from "../../features/channels/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { onEachEngine, type TestHouse } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";

const { VIEW_CHANNEL, SEND_MESSAGES } = permission;
const blind = defaultPermissions & ~VIEW_CHANNEL;

async function pair(house: TestHouse) {
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const home = await alice.makeServer();
  await alice.bringIn(home.id, bob);
  const den = (await alice.post<Channel>("/channels", { server_id: home.id, name: "den" })).body;
  const setEveryone = (permissions: number) =>
    alice.patch<Role>(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions });
  return { alice, bob, home, channels: [home.general, den], setEveryone, ear: await bob.listen() };
}

/** Waits until all earlier events have arrived: a later renaming of the server follows in the same log. */
async function caughtUp(alice: TestPerson, serverId: string, ear: Ear, name: string): Promise<void> {
  await alice.patch(`/servers/${serverId}`, { name });
  await ear.until((frame) => frame.type === "SERVER_UPDATE" && String(frame.data.name) === name);
}

const idsOf = (ear: Ear, type: string) =>
  ear
    .heard(type)
    .map((frame) => String(frame.data.id))
    .sort();

onEachEngine("rights on open sockets", (house) => {
  test("losing VIEW_CHANNEL: CHANNEL_DELETE for each channel, live, and then silence", async () => {
    const { alice, home, channels, setEveryone, ear } = await pair(house());
    await setEveryone(blind);
    await alice.say(home.general.id, "secret");
    await alice.patch(`/channels/${home.general.id}`, { name: "secret" });
    await caughtUp(alice, home.id, ear, "later");
    expect(idsOf(ear, "CHANNEL_DELETE")).toEqual(channels.map(({ id }) => id).sort());
    expect(ear.heard("CHANNEL_DELETE").map(({ seq, server_id }) => [seq, server_id])).toEqual([
      [undefined, home.id],
      [undefined, home.id],
    ]);
    expect(ear.heard("MESSAGE_CREATE")).toEqual([]);
    expect(ear.heard("CHANNEL_UPDATE")).toEqual([]);
  });

  test("gaining it: CHANNEL_CREATE for each channel as it is now, live, and then everything", async () => {
    const { alice, bob, home, setEveryone, ear: early } = await pair(house());
    early.close();
    await setEveryone(blind);
    const ear = await bob.listen();
    await alice.say(home.general.id, "before");
    await setEveryone(defaultPermissions);
    const said = await alice.say(home.general.id, "after");
    expect((await ear.next("MESSAGE_CREATE")).data as unknown).toEqual(said);
    expect(ear.heard("MESSAGE_CREATE")).toHaveLength(1);
    const created = ear.heard("CHANNEL_CREATE");
    expect(created.map(({ seq, server_id }) => [seq, server_id])).toEqual([
      [undefined, home.id],
      [undefined, home.id],
    ]);
    const now = (await bob.get<Channel[]>(`/channels?server_id=${home.id}`)).body;
    expect(idsOf(ear, "CHANNEL_CREATE")).toEqual(now.map(({ id }) => id).sort());
    const names = created.map(({ data }) => String(data.name)).sort();
    expect(names).toEqual(now.map(({ name }) => name).sort());
  });

  test("binds within a second, on every socket of the person, whichever way the right goes", async () => {
    const { alice, bob, home, setEveryone, ear } = await pair(house());
    const ears = [ear, await bob.listen()];
    await setEveryone(blind);
    const role = (
      await alice.post<Role>(`/servers/${home.id}/roles`, { name: "sees", permissions: VIEW_CHANNEL })
    ).body;
    const give = (role_ids: string[]) =>
      alice.put(`/servers/${home.id}/members/${bob.id}/roles`, { role_ids });
    const setRole = (permissions: number) =>
      alice.patch(`/servers/${home.id}/roles/${role.id}`, { permissions });
    const ways: [string, () => Promise<unknown>, string][] = [
      ["the role is given", () => give([role.id]), "CHANNEL_CREATE"],
      ["the role is taken", () => give([]), "CHANNEL_DELETE"],
      ["the role is given again", () => give([role.id]), "CHANNEL_CREATE"],
      ["the role loses the bit", () => setRole(SEND_MESSAGES), "CHANNEL_DELETE"],
      ["the role gets the bit", () => setRole(VIEW_CHANNEL), "CHANNEL_CREATE"],
      ["the role is deleted", () => alice.delete(`/servers/${home.id}/roles/${role.id}`), "CHANNEL_DELETE"],
      ["@everyone sees", () => setEveryone(defaultPermissions), "CHANNEL_CREATE"],
      ["@everyone is blind", () => setEveryone(blind), "CHANNEL_DELETE"],
    ];
    for (const each of ears) await each.until(({ type }) => type === "CHANNEL_DELETE");
    for (const each of ears) await each.until(({ type }) => type === "CHANNEL_DELETE");
    for (const [what, change, told] of ways) {
      await change();
      for (const each of ears) for (let i = 0; i < 2; i++) await each.next(told);
      await alice.say(home.general.id, what);
    }
    await caughtUp(alice, home.id, ear, "later");
    const heard = ear.heard("MESSAGE_CREATE").map(({ data }) => String(data.content));
    expect(heard).toEqual(ways.filter(([, , told]) => told === "CHANNEL_CREATE").map(([what]) => what));
  });

  test("an owner without VIEW_CHANNEL in any role sees all; handing over takes the sight away and gives it", async () => {
    const { alice, bob, home, setEveryone, ear } = await pair(house());
    const hers = await alice.listen();
    await setEveryone(blind);
    await ear.next("CHANNEL_DELETE");
    await ear.next("CHANNEL_DELETE");
    expect(hers.heard("CHANNEL_DELETE")).toEqual([]);
    await alice.post(`/servers/${home.id}/owner`, { user_id: bob.id });
    for (let i = 0; i < 2; i++) await Promise.all([ear.next("CHANNEL_CREATE"), hers.next("CHANNEL_DELETE")]);
    await bob.say(home.general.id, "mine now");
    await ear.next("MESSAGE_CREATE");
    await caughtUp(bob, home.id, hers, "later");
    expect(hers.heard("MESSAGE_CREATE")).toEqual([]);
  });

  test("a channel that is deleted while the sight of it is lost does not stay in anybody's list", async () => {
    const { alice, home, setEveryone, ear } = await pair(house());
    for (let round = 0; round < 15; round++) {
      const doomed = (await alice.post<Channel>("/channels", { server_id: home.id, name: `doomed ${round}` }))
        .body;
      await ear.until(({ type, data }) => type === "CHANNEL_CREATE" && String(data.id) === doomed.id);
      await Promise.all([setEveryone(blind), alice.delete(`/channels/${doomed.id}`)]);
      await caughtUp(alice, home.id, ear, `blind ${round}`);
      const deleted = ear.heard("CHANNEL_DELETE").map(({ data }) => String(data.id));
      expect([round, deleted.includes(doomed.id)]).toEqual([round, true]);
      await setEveryone(defaultPermissions);
      await caughtUp(alice, home.id, ear, `seeing ${round}`);
    }
  });

  test("a client frame about a channel that its sender cannot see any more is refused", async () => {
    const { bob, home, setEveryone, ear } = await pair(house());
    ear.say("TYPING_START", { channel_id: home.general.id });
    await ear.settle();
    expect(ear.heard("ERROR")).toEqual([]);
    await setEveryone(blind);
    ear.say("TYPING_START", { channel_id: home.general.id });
    expect(String((await ear.next("ERROR")).data.code)).toBe("not_found");
    await setEveryone(VIEW_CHANNEL);
    ear.say("TYPING_START", { channel_id: home.general.id });
    expect(String((await ear.next("ERROR")).data.code)).toBe("forbidden");
    expect((await bob.get("/auth/me")).status).toBe(200);
  });
});
