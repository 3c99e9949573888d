// Many changes of one server at once: they wait for each other, and must not wait for what none of them will give back.
import { expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/engines.ts";

onEachEngine(
  "a crowd of changes",
  (house) => {
    test("forty at once, each of which looks somebody up on the way, are all answered", async () => {
      const alice = await house().person("alice");
      const home = await alice.makeServer();
      const { id } = await alice.say(home.general.id, "first words");
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          alice.patch(`/messages/${id}`, { content: `@stranger${i} of whom nobody has heard` }),
        ),
      );
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    });
  },
  { RATE_LIMITS: "off" },
);
