// Messages of several channels as one person may see them, and pages that serve every reader.
import { expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { messagesSeenBy } from "./access.ts";
import type { Message } from "./contract.ts";
import { forReaders } from "./kept-page.ts";

const unknown = "01890000-0000-7000-8000-0000000000ff";

onEachEngine("messages and their parts", (house) => {
  const seen = (reader: { id: string }, ids: string[]) =>
    house().running.house.read((unit) => messagesSeenBy(unit, reader.id, ids));

  test("of several channels and servers one gets those that one may see, with one's own reactions", async () => {
    const { alice, bob, home } = await neighbours(house());
    const away = await alice.makeServer();
    const here = await alice.say(home.general.id, "here");
    const there = await alice.say(away.general.id, "there");
    const deleted = await alice.say(home.general.id, "deleted");
    await alice.delete(`/messages/${deleted.id}`);
    await bob.post(`/messages/${here.id}/reactions`, { emoji: "🐸" });
    const ids = [here.id, there.id, deleted.id, unknown];

    expect([...(await seen(alice, ids)).keys()].sort()).toEqual([here.id, there.id].sort());
    expect([...(await seen(bob, ids)).values()]).toEqual([
      (await bob.get<Message>(`/messages/${here.id}`)).body,
    ]);
    expect((await seen(bob, ids)).get(here.id)?.reactions).toEqual([{ emoji: "🐸", count: 1, me: true }]);
    expect(await seen(bob, [])).toEqual(new Map());

    // Without VIEW_CHANNEL nothing of the server is seen.
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 });
    expect((await seen(bob, ids)).size).toBe(0);
    expect((await seen(alice, ids)).size).toBe(2);
  });

  test("a page is not served to everybody where a `me` in it belongs to no flag", async () => {
    const alice = await house().person("anna");
    const { general } = await alice.makeServer();
    const { body } = await alice.get<Message>(`/messages/${(await alice.say(general.id, "one")).id}`);
    const unflagged = { ...body, mentions: { ...body.mentions, me: false } };
    const made = (messages: Message[]) => house().running.house.read((unit) => forReaders(unit, messages));
    expect(await made([body])).not.toBeNull();
    await expect(made([unflagged])).rejects.toThrow("a `me` without a flag");
  });
});
