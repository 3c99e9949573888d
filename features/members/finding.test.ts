// Finding members by the typed beginning of their names, and by their ids.
import { beforeAll, describe, expect, test } from "bun:test";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { nobodysId, type TestPerson } from "../../tests/house/people/people.ts";
import { comeIn, crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { planOf, statementsOf } from "../../tests/house/scenes/statements.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Member } from "./contract.ts";

onEachEngine("finding members", (house) => {
  let stage: Awaited<ReturnType<typeof neighbours>>;
  beforeAll(async () => {
    stage = await neighbours(house());
  });

  const ask = (query: Record<string, string>, by: TestPerson = stage.alice) =>
    by.get<Member[]>(`/servers/${stage.home.id}/members?${new URLSearchParams(query)}`);
  const found = async (query: Record<string, string>) => {
    const { status, body } = await ask(query);
    expect(status).toBe(200);
    return body.map(({ user }) => user.id).sort();
  };
  const those = (...people: { id: string }[]) => people.map(({ id }) => id).sort();
  const rename = (who: TestPerson, display_name: string) => who.patch("/auth/me", { display_name });

  describe("by name", () => {
    test("a username, a display name, or a word of it begins so; case and accents do not count", async () => {
      const { bob, carol } = stage;
      await rename(bob, "Zoë Brontë-Ångström");
      for (const q of [
        "zoe",
        "ZOË",
        "zoë brö",
        "bront",
        "BRONTE",
        "angstr",
        "Ån",
        bob.username.toUpperCase(),
      ])
        expect([q, await found({ q })]).toEqual([q, those(bob)]);
      for (const q of ["oe", "tröm", "brontë angst", "zoe x", "%", "_", "\u0301"])
        expect([q, await found({ q })]).toEqual([q, []]);
      await rename(carol, "Zoe");
      expect(await found({ q: "zoe" })).toEqual(those(bob, carol));
    });

    test("plain letters stand for those that do not come apart, and the other way round", async () => {
      const { bob } = stage;
      await rename(bob, "Łukasz Øystein Straßer İnci Işık");
      for (const q of ["luk", "ŁUK", "oyst", "øy", "strasser", "STRAẞ", "inci", "isik", "ışı", "İŞIK"])
        expect([q, await found({ q })]).toEqual([q, those(bob)]);
    });

    test("a word begins with its signs or emoji, or bare", async () => {
      const { bob } = stage;
      await rename(bob, "!!wow 😀joy (paren) ♥");
      for (const q of ["!!w", "wow", "😀", "😀jo", "joy", "(", "(paren", "paren", "PAREN", "♥"])
        expect([q, await found({ q })]).toEqual([q, those(bob)]);
      for (const q of [")", "😀 joy", "!wow"]) expect([q, await found({ q })]).toEqual([q, []]);
    });

    test("the members come as in the list, and whether there are more is told", async () => {
      const { bob, carol, home } = stage;
      await Promise.all([bob, carol].map((who) => rename(who, "Twin")));
      const list = (await stage.alice.get<Member[]>(`/servers/${home.id}/members`)).body;
      const { body, headers } = await ask({ q: "twin" });
      for (const each of body) expect(list).toContainEqual(each);
      expect(headers.get("x-has-more")).toBe("false");
      const one = await ask({ q: "twin", limit: "1" });
      expect([one.body.length, one.headers.get("x-has-more")]).toEqual([1, "true"]);
      expect((await ask({ q: "twin", limit: "0" })).body).toHaveLength(1);
    });

    test("who is renamed is found by the new name alone, at once, a bot as well", async () => {
      const { alice, bob, home } = stage;
      await rename(bob, "Rumpel");
      expect(await found({ q: "rump" })).toEqual(those(bob));
      await rename(bob, "Stilzchen");
      expect(await found({ q: "rump" })).toEqual([]);
      expect(await found({ q: "stilz" })).toEqual(those(bob));
      const bot = await TestBot.make(alice, "Quiz");
      await bot.enter(home.id);
      await alice.patch(`/bots/${bot.id}`, { name: "Dungeon Master" });
      expect(await found({ q: "mast" })).toEqual(those(bot));
      await alice.patch(`/bots/${bot.id}`, { name: "Dungeon Keeper" });
      expect(await found({ q: "mast" })).toEqual([]);
      // Its username stays.
      for (const q of ["keep", "quiz"]) expect(await found({ q })).toEqual(those(bot));
    });

    test("nobody is found who is no member, or not any more", async () => {
      const { mallory, carol, alice, home } = stage;
      await Promise.all([mallory, carol].map((who) => rename(who, "Xanthippe")));
      expect(await found({ q: "xanth" })).toEqual(those(carol));
      await carol.delete(`/servers/${home.id}/members/@me`);
      expect(await found({ q: "xanth" })).toEqual([]);
      await alice.bringIn(home.id, carol);
      expect(await found({ q: "xanth" })).toEqual(those(carol));
      expect(verdict(await ask({ q: "xanth" }, mallory))).toBe("404 not_found");
    });
  });

  describe("by ids", () => {
    test("who is a member comes, once; who is none is passed over", async () => {
      const { alice, bob, mallory } = stage;
      const ids = [bob.id, mallory.id, nobodysId, alice.id.toUpperCase(), bob.id].join(",");
      expect(await found({ ids })).toEqual(those(alice, bob));
      expect(await found({ ids: mallory.id })).toEqual([]);
      expect((await ask({ ids })).headers.get("x-has-more")).toBe("false");
    });

    test("up to a hundred are taken", async () => {
      const ids = Array.from({ length: 99 }, () => Bun.randomUUIDv7());
      expect(await found({ ids: [...ids, stage.bob.id].join(",") })).toEqual(those(stage.bob));
      expect(verdict(await ask({ ids: [...ids, stage.bob.id, nobodysId].join(",") }))).toBe(
        "400 invalid_request",
      );
    });
  });

  test("what is no name, no list of ids, or several ways of asking at once is refused", async () => {
    const { id } = stage.bob;
    for (const wrong of [
      { q: "" },
      { q: "  " },
      { q: "x".repeat(65) },
      { q: "a\0" },
      { ids: "" },
      { ids: "bob" },
      { ids: `${id},` },
      { ids: `${id} ${id}` },
      { q: "bob", ids: id },
      { q: "bob", after: id },
      { ids: id, after: id },
      { q: "bob", limit: "many" },
    ] as Record<string, string>[])
      expect([wrong, verdict(await ask(wrong))]).toEqual([wrong, "400 invalid_request"]);
    expect((await ask({ q: "😀".repeat(64) })).status).toBe(200);
  });
});

const many = 2300;

onEachEngine("finding members of a large community", (house) => {
  let stage: Awaited<ReturnType<typeof neighbours>>;
  let people: string[];

  beforeAll(async () => {
    stage = await neighbours(house());
    people = await crowd(house(), stage.alice, many);
    await comeIn(house(), stage.home.id, people);
    const word = (user_id: string, i: number) => ({
      word: i % 100 === 0 ? `rare ${i}` : "common",
      user_id,
      folding: 2,
    });
    await fill(house(), "name_words", people.map(word));
    await setCount(house(), stage.home.id, many + 3);
  }, 400_000);

  const ask = (query: string, by = stage.alice, server = stage.home.id) =>
    by.get<Member[]>(`/servers/${server}/members?${query}`);

  test("25 come where nothing else is asked for, a hundred at most, each once", async () => {
    for (const [query, length] of [
      ["q=common", 25],
      ["q=common&limit=1000", 100],
      ["q=rare", 23],
      ["q=rare%202", 4],
      ["q=rarely", 0],
    ] as const) {
      const { body, headers } = await ask(query);
      expect([query, new Set(body.map(({ user }) => user.id)).size]).toEqual([query, length]);
      expect(headers.get("x-has-more")).toBe(String(length === 25 || length === 100));
    }
  });

  test("a small server beside it, and one that hardly anybody of that name is in, are searched to the end", async () => {
    const { bob, mallory } = stage;
    const small = await mallory.makeServer();
    await mallory.bringIn(small.id, bob);
    await mallory.patch("/auth/me", { display_name: "Commonly" });
    for (const count of [2, 5000]) {
      await setCount(house(), small.id, count);
      const { body } = await ask("q=common", mallory, small.id);
      expect(body.map(({ user }) => user.id)).toEqual([mallory.id]);
    }
  });

  test("in a large server a member is found among thousands of namesakes elsewhere, and a rare name by one query of the names", async () => {
    const { alice, mallory, home } = stage;
    const namesakes = ["a", "b"].flatMap((end) =>
      people.map((user_id) => ({ word: `namesake ${end}`, user_id, folding: 2 })),
    );
    const large = await mallory.makeServer();
    await setCount(house(), large.id, 6000);
    await mallory.patch("/auth/me", { display_name: "Namesake C" });
    await fill(house(), "name_words", namesakes);
    const { body } = await ask("q=namesake", mallory, large.id);
    expect(body.map(({ user }) => user.id)).toEqual([mallory.id]);

    await alice.patch("/auth/me", { display_name: "Unlike all" });
    const { statements } = await statementsOf(house(), () => ask("q=unlike", alice, home.id));
    expect(statements.filter((each) => each.includes("name_words"))).toHaveLength(1);
  });

  test("others have their turn in between, and the index is used", async () => {
    const { mallory } = stage;
    const far = await mallory.makeServer();
    await setCount(house(), far.id, 5000);
    for (const work of [() => ask("q=common&limit=100"), () => ask("q=common", mallory, far.id)]) {
      const { statements, rowsInOneTurn } = await statementsOf(house(), work);
      expect(rowsInOneTurn).toBeLessThanOrEqual(310);
      const names = statements.find((each) => each.includes("name_words")) ?? "";
      const plan = planOf(house(), names.replaceAll("?", "'x'"));
      expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
    }
  });
});

function setCount(house: TestHouse, serverId: string, member_count: number): Promise<unknown> {
  return house.running.house.write(({ db }) =>
    db.updateTable("servers").set({ member_count }).where("id", "=", serverId).execute(),
  );
}
