// Clients that were just answered and call again share the next commit with the calls that came meanwhile.
import { expect, spyOn, test } from "bun:test";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import { SharedCommit } from "./commit.ts";

const writers = 16;
const postsEach = 15;
/** Split halves never merge; on a busy machine, answers and calls may take more turns than a commit waits. */
const tries = 40;
/** Longer than a turn of the event loop on any machine, so that only the turns count. */
const gatherMs = 60_000;

onOneProcess("posts of many at once", (house) => {
  test("share their commits instead of falling into halves that wait for each other", async () => {
    const alice = await house().person("alice");
    const { general } = await alice.makeServer();
    const { house: running } = house().running;
    const { rowsPerCommit } = running.metrics;
    const commits = () => rowsPerCommit.counts.reduce((sum, count) => sum + count);
    const patient = new SharedCommit(running, gatherMs);
    using _ = spyOn(running, "share").mockImplementation((work, caller) => patient.run(work, caller));
    const postMany = async () => {
      const before = commits();
      const post = async () => {
        for (let i = 0; i < postsEach; i++)
          await alice.post(`/channels/${general.id}/messages`, { content: "mine" });
      };
      await Promise.all(Array.from({ length: writers }, post));
      return (writers * postsEach) / (commits() - before);
    };
    let together = 0;
    for (let i = 0; i < tries && together < writers * 0.65; i++)
      together = Math.max(together, await postMany());
    expect(together).toBeGreaterThan(writers * 0.65);
  });
});
