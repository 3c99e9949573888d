// Typing: a transient signal to those who can see the channel, but never to the typist.
import { expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { typingStarted } from "./events.ts";
import { type Typist, typistsAfter } from "./state.ts";

async function room(house: TestHouse) {
  const { alice, bob, carol, mallory, home } = await neighbours(house);
  await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 });
  const role = await alice.giveRole(home.id, bob, permission.VIEW_CHANNEL | permission.SEND_MESSAGES);
  return { alice, bob, carol, mallory, home, role };
}

onEachEngine("typing", (house) => {
  for (const way of ["POST", "frame"] as const) {
    test(`by ${way}: heard by who sees the channel, on all their sockets; not by the typist's own, nor by others`, async () => {
      const { alice, bob, carol, mallory, home } = await room(house());
      const [hers, hersToo, his, hisToo, blind, stranger] = await Promise.all(
        [alice, alice, bob, bob, carol, mallory].map((person) => person.listen()),
      );
      if (!hers || !hersToo || !his || !hisToo || !blind || !stranger) throw new Error("six are six");
      if (way === "POST") {
        expect((await bob.post(`/channels/${home.general.id}/typing`)).status).toBe(204);
      } else his.say("TYPING_START", { channel_id: home.general.id });
      for (const ear of [hers, hersToo]) {
        const heard = await ear.next("TYPING_START");
        expect(heard.data as unknown).toEqual({ channel_id: home.general.id, user_id: bob.id });
        expect(Object.keys(heard).sort()).toEqual(["data", "server_id", "ts", "type"]);
      }
      // The typist still receives everything else, including the typing of others.
      await alice.post(`/channels/${home.general.id}/typing`);
      for (const ear of [his, hisToo]) {
        expect(String((await ear.next("TYPING_START")).data.user_id)).toBe(alice.id);
        expect(ear.heard("TYPING_START")).toHaveLength(1);
      }
      for (const ear of [blind, stranger]) {
        await ear.settle();
        expect(ear.heard("TYPING_START")).toEqual([]);
      }
      for (const ear of [hers, hersToo]) expect(ear.heard("TYPING_START")).toHaveLength(1);
    });
  }

  test("is refused to who may not write there, by POST and by frame, and then told to nobody", async () => {
    const { alice, bob, carol, mallory, home, role } = await room(house());
    const hers = await alice.listen();
    const path = `/channels/${home.general.id}/typing`;
    await alice.patch(`/servers/${home.id}/roles/${role.id}`, { permissions: permission.VIEW_CHANNEL });
    expect((await bob.post(path)).status).toBe(403);
    expect((await carol.post(path)).status).toBe(404);
    expect((await mallory.post(path)).status).toBe(404);
    for (const [person, code] of [
      [bob, "forbidden"],
      [carol, "not_found"],
      [mallory, "not_found"],
    ] as const) {
      const ear = await person.listen();
      ear.say("TYPING_START", { channel_id: home.general.id });
      expect(String((await ear.next("ERROR")).data.code)).toBe(code);
    }
    await hers.settle();
    expect(hers.heard("TYPING_START")).toEqual([]);
  });
});

test("a copy knows each typist of a channel once, by their last sign, and forgets them ten seconds after it", () => {
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const after = (...signs: [seconds: number, user_id: string, channel_id: string][]) =>
    signs
      .reduce<readonly Typist[]>(
        (typists, [seconds, user_id, channel_id]) =>
          typistsAfter(typists, {
            type: typingStarted.type,
            data: { channel_id, user_id },
            ts: at(seconds),
          }),
        [],
      )
      .map((typist) => `${typist.user_id} in ${typist.channel_id} ${Date.parse(typist.at) / 1000}`);
  expect(after([0, "bob", "hall"], [3, "bob", "hall"])).toEqual(["bob in hall 3"]);
  expect(after([0, "bob", "hall"], [1, "bob", "den"], [2, "mia", "hall"])).toEqual([
    "bob in hall 0",
    "bob in den 1",
    "mia in hall 2",
  ]);
  expect(after([0, "bob", "hall"], [9.999, "mia", "hall"])).toEqual(["bob in hall 0", "mia in hall 9.999"]);
  expect(after([0, "bob", "hall"], [10, "mia", "hall"])).toEqual(["mia in hall 10"]);
});
