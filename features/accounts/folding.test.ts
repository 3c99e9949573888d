// Search words of people after an upgrade from a release that folded fewer letters.
import { beforeAll, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { foldNames } from "./folding.ts";

onEachEngine("names that an earlier release folded", (house) => {
  const stage = homeForEach(house);
  beforeAll(() => house().quiet());

  const wordsOf = async (id: string) => {
    const { read } = house().running.house.database;
    const rows = await read.selectFrom("name_words").selectAll().where("user_id", "=", id).execute();
    return rows.map(({ word, folding }) => `${word} ${folding}`).sort();
  };

  /** Inserts words as earlier releases do: 0, the default, or 1 for `folding`. */
  const wroteOnce = (userId: string, words: readonly string[], folding: number) =>
    house().running.house.database.transaction(async (db) => {
      await db.deleteFrom("name_words").where("user_id", "=", userId).execute();
      const rows = words.map((word) => ({ word, user_id: userId, folding }));
      await db.insertInto("name_words").values(rows).execute();
    });

  test("are found by plain letters once they are folded anew, also those that it writes later", async () => {
    const { bob, home } = stage;
    await bob.patch("/auth/me", { display_name: "Łukasz O’Hara" });
    const today = await wordsOf(bob.id);
    const found = async (q: string) =>
      (await bob.get<{ user: { id: string } }[]>(`/servers/${home.id}/members?q=${q}`)).body.map(
        ({ user }) => user.id,
      );
    for (const [folding, words] of [
      [0, ["łukasz o’hara", "o’hara", "hara"]],
      [1, ["lukasz o’hara", "o’hara", "hara"]],
    ] as const) {
      await wroteOnce(bob.id, [bob.username, ...words], folding);
      while (await foldNames.run(house().running.house));
      expect(await wordsOf(bob.id)).toEqual(today);
      for (const q of ["luk", "łuk", "o'h", "O’HA", "hara"])
        expect([q, await found(q)]).toEqual([q, [bob.id]]);
    }
  });

  test("are folded a hundred accounts at a time", async () => {
    const ids = await crowd(house(), stage.olga, 250);
    await fill(
      house(),
      "name_words",
      ids.map((user_id) => ({ word: "ø", user_id, folding: 0 })),
    );
    let runs = 1;
    for (; await foldNames.run(house().running.house); runs++);
    expect(runs).toBe(3);
    expect((await wordsOf(ids[249] ?? "")).every((word) => word.endsWith(" 2"))).toBe(true);
  });
});
