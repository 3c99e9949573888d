// A search for members that stops at its bound: there may be more matches, and the response says so.
import { beforeAll, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { comeIn, crowd, fill } from "../../tests/house/scenes/crowd.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import type { Member } from "./contract.ts";

/** More members than a search looks at. */
const many = 8100;

onEachEngine("finding members among more than are looked at", (house) => {
  let stage: Awaited<ReturnType<typeof neighbours>>;
  beforeAll(async () => {
    stage = await neighbours(house());
    const { alice, home, mallory } = stage;
    const people = await crowd(house(), alice, many);
    await comeIn(house(), home.id, people);
    const elsewhere = people.map((_, i) => ({ word: `namesake ${i}`, user_id: mallory.id, folding: 2 }));
    const last = { word: "namesake z", user_id: people.at(-1) ?? "", folding: 2 };
    await fill(house(), "name_words", [...elsewhere, last]);
  }, 400_000);

  async function found(q: string) {
    const { body, headers } = await stage.alice.get<Member[]>(`/servers/${stage.home.id}/members?q=${q}`);
    return [body.map(({ user }) => user.id), headers.get("x-has-more")];
  }

  test("a member behind thousands of others and of namesakes elsewhere is not found, but not denied", async () => {
    expect(await found("namesake")).toEqual([[], "true"]);
    const [ids, hasMore] = await found("namesake%20z");
    expect([ids?.length, hasMore]).toEqual([1, "false"]);
  });

  test("names that are looked at to the last are all there are", async () => {
    expect(await found("namesake%2077")).toEqual([[], "false"]);
    expect(await found("nobody")).toEqual([[], "false"]);
  });
});
