// Messages in the list: how far they stand apart.
import { expect, test } from "bun:test";
import { inChromium, journey, rowOf } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("messages in the list", (scene) => {
  test(
    "messages that one author sends in a row are further apart than the lines of one of them",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      await alice.say(general.id, "To begin with");
      const said = [await alice.say(general.id, "One"), await alice.say(general.id, "Two")];
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const [one, two] = await Promise.all(
        said.map((message, at) =>
          rowOf(page, message)
            .getByText(["One", "Two"][at] ?? "", { exact: true })
            .boundingBox(),
        ),
      );
      expect(Math.round((two?.y ?? 0) - (one?.y ?? 0) - (one?.height ?? 0))).toBe(6);
      await watched.close();
    },
    journey,
  );
});
