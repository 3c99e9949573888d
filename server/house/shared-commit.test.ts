// Clients that were just answered and call again share the next commit with the calls that came meanwhile.
import { expect, test } from "bun:test";
import { onOneProcess } from "../../tests/house/engines.ts";

const writers = 16;
const postsEach = 15;
/** Halves never come together; a machine that is busy with others parts them often. */
const tries = 40;

onOneProcess("posts of many at once", (house) => {
  test("share their commits instead of falling into halves that wait for each other", async () => {
    const alice = await house().person("alice");
    const { general } = await alice.makeServer();
    const { metrics } = house().running.house;
    const postMany = async () => {
      const before = metrics.commits;
      const post = async () => {
        for (let i = 0; i < postsEach; i++)
          await alice.post(`/channels/${general.id}/messages`, { content: "mine" });
      };
      await Promise.all(Array.from({ length: writers }, post));
      return (writers * postsEach) / (metrics.commits - before);
    };
    let together = 0;
    for (let i = 0; i < tries && together < writers * 0.65; i++)
      together = Math.max(together, await postMany());
    expect(together).toBeGreaterThan(writers * 0.65);
  });
});
