// Many concurrent changes of one server: they wait for each other, and must not deadlock over connections.
import { expect, test } from "bun:test";
import { onOneProcess } from "../../tests/house/open/engines.ts";

/** More than twice the connections that a process has for changes. */
const many = 25;

onOneProcess("a crowd of changes", (house) => {
  test("many at once, each of which looks somebody up on the way, are all answered", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    const { id } = await alice.say(home.general.id, "first words");
    const answers = await Promise.all(
      Array.from({ length: many }, (_, i) =>
        alice.patch(`/messages/${id}`, { content: `@stranger${i} of whom nobody has heard` }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  });
});
