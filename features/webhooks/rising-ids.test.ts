// Concurrent posts of people and webhooks: message ids in a channel rise with the numbers of the log.
import { expect, test } from "bun:test";
import { lowestIdAt } from "../../protocol/ids.ts";
import { serverStream } from "../../server/place.ts";
import { madeAt, newId } from "../../server/tokens.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Message } from "../messages/contract.ts";

/** Enough for many commits with several posts each. */
const rounds = 40;
/** Short, in milliseconds: it raises the ids of this whole process, in which other tests run. */
const leadMs = 2000;

onEachEngine("ids of messages", (house) => {
  test("rise with the log's numbers, whoever writes, and stand in that order in the pages", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    const hooks = `/channels/${home.general.id}/webhooks`;
    const { url } = (await alice.post<{ url: string }>(hooks, { name: "CI" })).body;
    const path = new URL(url).pathname;
    const ear = await alice.listen();
    const posts = Array.from({ length: rounds }, async (_, i) => {
      await alice.say(home.general.id, `by hand ${i}`);
      if (i % 4 === 0) expect((await alice.post(path, { content: `by a program ${i}` })).status).toBe(204);
      await alice.say(home.general.id, `by hand again ${i}`);
    });
    await Promise.all(posts);
    await ear.settle();
    const heard = ear.heard("MESSAGE_CREATE");
    expect(heard).toHaveLength(2 * rounds + rounds / 4);
    const bySeq = heard.toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0));
    const ids = bySeq.map(({ data }) => String(data.id));
    expect(ids).toEqual(ids.toSorted());
    const { body } = await alice.get<Message[]>(`/channels/${home.general.id}/messages?limit=100`);
    expect(body.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 100));
  });

  test("are above those of a process whose clock is ahead, whoever writes", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    const hooks = `/channels/${home.general.id}/webhooks`;
    const { url } = (await alice.post<{ url: string }>(hooks, { name: "CI" })).body;
    for (const path of [`${new URL(url).pathname}?wait=true`, `/channels/${home.general.id}/messages`]) {
      // As if that process had posted last.
      const last_id = lowestIdAt(madeAt(newId()) + leadMs);
      const stream = serverStream(home.id);
      await house().running.house.database.transaction((db) =>
        db.updateTable("streams").set({ last_id }).where("stream", "=", stream).execute(),
      );
      const { status, body } = await alice.post<Message>(path, { content: "after it" });
      expect(status).toBeOneOf([200, 201]);
      expect(body.id > last_id).toBe(true);
    }
  });
});
