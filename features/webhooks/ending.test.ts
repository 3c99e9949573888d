// The end of a webhook, or of its channel or server: nothing of it appears after the response that ended it.

import { beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { lockStream } from "../../server/house/streams.ts";
import { serverStream } from "../../server/place.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { isLockWaitedFor } from "../../tests/house/servers/locks.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Message } from "../messages/contract.ts";

onEachEngine("the end of a webhook", (house) => {
  let [olga, bob]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let hook: { id: string; token: string };

  beforeAll(async () => {
    [olga, bob] = await Promise.all(["olga", "bob"].map((name) => house().person(name)));
  });
  beforeEach(async () => {
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!);
    hook = (await olga!.post<typeof hook>(`/channels/${home.general.id}/webhooks`, { name: "Builds" })).body;
  });

  const call = (content: string) =>
    send<Message>(house(), undefined, "POST", `/webhooks/${hook.id}/${hook.token}`, { content });
  const rows = async (channelId = home.general.id) => {
    const db = house().running.house.database.read;
    return (await db.selectFrom("messages").select("id").where("channel_id", "=", channelId).execute())
      .length;
  };
  const webhookRows = async () => {
    const db = house().running.house.database.read;
    return (await db.selectFrom("webhooks").select("id").where("server_id", "=", home.id).execute()).length;
  };

  test("deleted: its address is 404, what it said stays and is still read and moderated", async () => {
    await call("I was here");
    expect((await olga!.delete(`/webhooks/${hook.id}`)).status).toBe(204);
    expect(verdict(await call("I am still here"))).toBe("404 not_found");
    const [said, ...more] = (await bob!.get<Message[]>(`/channels/${home.general.id}/messages`)).body;
    expect([said?.content, said?.author.kind, more.length]).toEqual(["I was here", "webhook", 0]);
    expect((await olga!.delete(`/messages/${said?.id}`)).status).toBe(204);
  });

  test("it outlives whoever made it, for as long as the channel is there", async () => {
    const carol = await house().person("carol");
    await olga!.bringIn(home.id, carol);
    await olga!.giveRole(home.id, carol, permission.MANAGE_CHANNELS);
    const made = await carol.post<typeof hook>(`/channels/${home.general.id}/webhooks`, { name: "Carol's" });
    await olga!.delete(`/servers/${home.id}/members/${carol.id}`);
    hook = made.body;
    expect((await call("Carol is gone")).status).toBe(204);
  });

  for (const what of ["channel", "server"] as const) {
    test(`with its ${what}: 404, and no row is left of it; one of another server goes on`, async () => {
      const other = await olga!.makeServer("Another");
      const path = `/channels/${other.general.id}/webhooks`;
      const elsewhere = (await olga!.post<typeof hook>(path, { name: "Alarms" })).body;
      const ended = what === "channel" ? `/channels/${home.general.id}` : `/servers/${home.id}`;
      expect((await olga!.delete(ended)).status).toBe(204);
      expect(verdict(await call("Hello?"))).toBe("404 not_found");
      expect(verdict(await olga!.delete(`/webhooks/${hook.id}`))).toBe("404 not_found");
      expect(await webhookRows()).toBe(0);
      hook = elsewhere;
      expect(verdict(await call("Still here"))).toBe("204");
    });
  }

  test("another channel's webhooks go on", async () => {
    const other = (await olga!.post<{ id: string }>("/channels", { server_id: home.id, name: "other" })).body;
    await olga!.delete(`/channels/${other.id}`);
    expect((await call("Still here")).status).toBe(204);
  });

  for (const what of ["webhook", "channel", "server"] as const) {
    test(`while fifty calls run: the answer that ends the ${what} is the end`, async () => {
      const ear = await bob!.listen();
      let posted = (): void => {};
      const first = new Promise<void>((resolve) => {
        posted = resolve;
      });
      const calls = Array.from({ length: 50 }, async (_, i) => {
        await Bun.sleep(i % 10);
        const answer = await insisted(() => call(`${i}`));
        if (answer.status === 204) posted();
        return verdict(answer);
      });
      await first;
      const path = {
        webhook: `/webhooks/${hook.id}`,
        channel: `/channels/${home.general.id}`,
        server: `/servers/${home.id}`,
      };
      expect((await insisted(() => olga!.delete(path[what]))).status).toBe(204);
      const atTheEnd = await rows();
      const answers = await Promise.all(calls);
      const taken = answers.filter((answer) => answer === "204").length;

      expect(
        [...new Set(answers)].filter((answer) => answer !== "204" && answer !== "404 not_found"),
      ).toEqual([]);
      await ear.settle();
      expect(ear.heard("MESSAGE_CREATE")).toHaveLength(taken);
      // Messages of a deleted channel are swept; any that remain are those that were answered.
      if (what === "webhook") expect([atTheEnd, await rows()]).toEqual([taken, taken]);
      else expect(await rows()).toBeLessThanOrEqual(taken);
      ear.close();
    });
  }

  /** Counts the transactions that all processes request from now on; those of one process run in that order. */
  function transactions() {
    const asked = house().all.map(({ house: { database } }) => spyOn(database, "transaction"));
    return {
      asked: () => asked.reduce((sum, { mock }) => sum + mock.calls.length, 0),
      [Symbol.dispose]: () => {
        for (const each of asked) each.mockRestore();
      },
    };
  }

  for (const what of ["webhook", "channel", "server"] as const) {
    test(`a call that waits while the ${what} ends comes too late, however early it came`, async () => {
      await house().stopJobs();
      const { database } = house().running.house;
      const released = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      // Holds a lock on this server: everybody who wants to change it has to wait.
      const holding = database.transaction(async (db) => {
        if (database.locksRows) await lockStream(db, serverStream(home.id));
        held.resolve();
        await released.promise;
      });
      await held.promise;
      const path = {
        webhook: `/webhooks/${hook.id}`,
        channel: `/channels/${home.general.id}`,
        server: `/servers/${home.id}`,
      };
      using line = transactions();
      const ending = olga!.delete(path[what]);
      await until(() => line.asked() === 1, "nobody wants to end it");
      if (database.locksRows) await until(() => isLockWaitedFor(database.read), "nobody stands in line");
      const calling = call("Am I late?");
      await until(() => line.asked() === 2, "nobody calls");
      released.resolve();
      await holding;
      expect((await ending).status).toBe(204);
      expect(verdict(await calling)).toBe("404 not_found");
      expect(await rows()).toBe(0);
    });
  }
});
