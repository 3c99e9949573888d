// A message with thousands of reactions: counted when they are added, never when somebody reads.
import { beforeAll, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { crowd, react } from "../../tests/house/scenes/crowd.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import type { Message } from "../messages/contract.ts";

const many = 5000;
/** SQL that would count again. */
const counting = /\b(count|min|max|sum)\s*\(|group by|distinct/i;

onEachEngine("a message that thousands react to", (house) => {
  let stage: Awaited<ReturnType<typeof neighbours>>;
  let people: string[];
  let message: Message;

  beforeAll(async () => {
    await house().quiet();
    stage = await neighbours(house());
    people = await crowd(house(), stage.alice, many);
    message = await stage.alice.say(stage.home.general.id, "Who comes?");
    await stage.bob.post(`/messages/${message.id}/reactions`, { emoji: "🐸" });
    await react(house(), message.id, "👍", people);
  }, 400_000);

  const page = async (by = stage.bob, more = "") =>
    (await by.get<Message[]>(`/channels/${stage.home.general.id}/messages${more}`)).body;

  test("is read without counting, on every kind of page and alone, by each with their own", async () => {
    const { answer, statements } = await statementsOf(house(), async () => [
      await page(stage.bob),
      await page(stage.bob, "?limit=10"),
      await page(stage.bob, `?around=${message.id}`),
      [(await stage.bob.get<Message>(`/messages/${message.id}`)).body],
    ]);
    for (const [shown] of answer) {
      expect(shown?.reactions).toEqual([
        { emoji: "🐸", count: 1, me: true },
        { emoji: "👍", count: many, me: false },
      ]);
    }
    expect((await page(stage.carol))[0]?.reactions.map(({ me }) => me)).toEqual([false, false]);
    expect(statements.filter((sql) => counting.test(sql))).toEqual([]);
  });

  test("stays on the page that is kept for all: who reads it next is asked only for their own reactions", async () => {
    await page(stage.alice);
    const { answer, statements } = await statementsOf(house(), () => page(stage.bob));
    expect(answer[0]?.reactions.map(({ me }) => me)).toEqual([true, false]);
    expect(statements.filter((sql) => /"messages"|"reaction_counts"/.test(sql))).toEqual([]);
  });

  test("takes one more and one less, and everybody's page says so", async () => {
    const counts = async () => (await page(stage.carol))[0]?.reactions;
    const { statements } = await statementsOf(house(), async () => {
      await stage.carol.post(`/messages/${message.id}/reactions`, { emoji: "👍" });
      await stage.carol.post(`/messages/${message.id}/reactions`, { emoji: "👍" });
    });
    expect(statements.filter((sql) => counting.test(sql))).toEqual([]);
    expect(await counts()).toEqual([
      { emoji: "🐸", count: 1, me: false },
      { emoji: "👍", count: many + 1, me: true },
    ]);
    await stage.bob.delete(`/messages/${message.id}/reactions/🐸`);
    await stage.bob.delete(`/messages/${message.id}/reactions/🐸`);
    expect(await counts()).toEqual([{ emoji: "👍", count: many + 1, me: true }]);
    await stage.bob.post(`/messages/${message.id}/reactions`, { emoji: "🐸" });
    await stage.carol.delete(`/messages/${message.id}/reactions/👍`);
    expect(await counts()).toEqual([
      { emoji: "👍", count: many, me: false },
      { emoji: "🐸", count: 1, me: false },
    ]);
  });

  test("says who they are completely, in the order in which they came, in pieces that let others have their turn", async () => {
    const { answer, rowsInOneTurn } = await statementsOf(house(), () =>
      stage.carol.get(`/messages/${message.id}/reactions`),
    );
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.body as unknown).toEqual([
      { emoji: "👍", count: many, user_ids: people },
      { emoji: "🐸", count: 1, user_ids: [stage.bob.id] },
    ]);
    expect(rowsInOneTurn).toBeLessThanOrEqual(1100);
  });
});
