// A server that changes while members post elsewhere: only calls that relied on it run again, the rest in one commit.

import { expect, spyOn, test } from "bun:test";
import { z } from "zod";
import { event, kind } from "../../protocol/event.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { serverPlace, serverStream } from "../place.ts";
import type { House } from "./house.ts";
import { standingOf } from "./standing.ts";

const shape = z.object({ by: z.string() });
const said = event(kind<{ by: string }>("SAID"), {
  summary: "Something was said",
  data: shape,
  happensIn: "server",
});
const changed = event(kind<{ by: string }>("CHANGED"), {
  summary: "Something changed",
  data: shape,
  happensIn: "server",
  revokes: true,
});

/** True if the person's connection has been recorded for other processes, which is a commit of its own. */
async function isWritten({ database }: House, userId: string): Promise<boolean> {
  const row = database.read.selectFrom("connections").select("opened").where("user_id", "=", userId);
  return (await row.executeTakeFirst()) !== undefined;
}

onEachEngine("a shared commit of posts to several servers", (house) => {
  test("goes through without those whose server has changed, and each of these by itself", async () => {
    await house().quiet();
    const alice = await house().person("alice");
    const changing = await alice.makeServer();
    const others = await Promise.all([alice.makeServer(), alice.makeServer()]);
    const { house: running } = house().running;
    const say = (serverId: string) =>
      running.share(async (unit) => {
        const standing = await standingOf(unit, serverId, alice.id);
        unit.emit(said, serverPlace(serverId), { by: standing?.userId ?? "nobody" });
      });
    for (const { id } of [changing, ...others]) await say(id);
    const listening = await alice.listen();
    await until(
      async () => !running.isShared || (await isWritten(running, alice.id)),
      "her socket is unknown",
    );

    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const change = running.write(async (unit) => {
      await unit.lock(serverStream(changing.id));
      held.resolve();
      await released.promise;
      unit.emit(changed, serverPlace(changing.id), { by: "alice" });
    });
    await held.promise;
    const transaction = running.database.transaction.bind(running.database);
    const transactions = spyOn(running.database, "transaction").mockImplementationOnce((work, tries) => {
      // The posts have been checked and wait for their commit, the posts of one turn together. The change goes first,
      // as its row is waited for no longer than a second.
      released.resolve();
      return change.then(() => transaction(work, tries));
    });
    try {
      const posts = [changing, ...others, changing, ...others].map(({ id }) => say(id));
      await Promise.all([change, ...posts]);
      // One commit of all, one of the posts to the other servers, and one for each of the two to the changed server.
      expect(transactions).toHaveBeenCalledTimes(4);
    } finally {
      transactions.mockRestore();
    }
    await house().heard();
    await listening.settle();
    const heard = listening.frames.flatMap((frame) =>
      "seq" in frame ? `${frame.server_id} ${frame.type}` : [],
    );
    const [one, other] = others;
    expect(heard.toSorted()).toEqual(
      [
        `${changing.id} CHANGED`,
        ...[changing, one, other].flatMap((server) => [`${server?.id} SAID`, `${server?.id} SAID`]),
      ].toSorted(),
    );
  });

  test("is stale for whoever went between two looks of one piece of work, though the second was fresh", async () => {
    const { alice, bob, home } = await neighbours(house());
    let looks = 0;
    const answer = await house().running.house.share(async (unit) => {
      const standing = await standingOf(unit, home.id, bob.id);
      if (!standing) return "no member";
      if (looks++ === 0) await alice.delete(`/servers/${home.id}/members/${bob.id}`);
      await standingOf(unit, home.id, alice.id);
      unit.emit(said, serverPlace(home.id), { by: bob.id });
      return "said";
    });
    expect(answer).toBe("no member");
  });
});
