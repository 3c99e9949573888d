// Push settings: whether a person's browsers get pushes while the person is active, too.
import { expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

const path = "/auth/me/push-settings";

onEachEngine("push settings", (house) => {
  const choose = (person: TestPerson, body: unknown) => person.put(path, body);
  const chosen = async (person: TestPerson): Promise<unknown> => (await person.get(path)).body;

  test("are away at first; each person has their own, and what is left out is the default", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    expect(await chosen(alice)).toEqual({ when: "away" });
    for (let i = 0; i < 2; i++) expect((await choose(alice, { when: "always" })).status).toBe(204);
    expect([await chosen(alice), await chosen(bob)]).toEqual([{ when: "always" }, { when: "away" }]);
    for (let i = 0; i < 2; i++) expect((await choose(alice, { when: "away" })).status).toBe(204);
    expect(await chosen(alice)).toEqual({ when: "away" });
    await choose(alice, { when: "always" });
    expect((await choose(alice, {})).status).toBe(204);
    expect(await chosen(alice)).toEqual({ when: "away" });
  });

  test("anything else is 400 and changes nothing", async () => {
    const alice = await house().person("alice");
    await choose(alice, { when: "always" });
    for (const when of ["never", "", null, true, 1, ["away"]]) {
      expect([when, verdict(await choose(alice, { when }))]).toEqual([when, "400 invalid_request"]);
    }
    expect(await chosen(alice)).toEqual({ when: "always" });
  });
});
