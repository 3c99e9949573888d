// Numbers of events: strictly increasing in commit order, the same for all receivers, absent on live events.
import { beforeAll, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../house/open/engines.ts";

onEachEngine("numbers", (house) => {
  // A job puts an edited message's new words into its first event: a late process, which reads that from the log, would
  // send other words than the rest.
  beforeAll(() => house().stopJobs());

  test("many people post at once in two servers: every listener hears the same, in the same order, without gaps", async () => {
    const [alice, bob, carol] = [
      await house().person("alice"),
      await house().person("bob"),
      await house().person("carol"),
    ];
    const homes = [await alice.makeServer("one"), await bob.makeServer("two")];
    await alice.bringIn(homes[0]?.id ?? "", bob, carol);
    await bob.bringIn(homes[1]?.id ?? "", alice, carol);
    const ears = await Promise.all([alice, bob, carol, alice, bob].map((person) => person.listen()));
    const starts = ears[0]?.resumePoint.streams ?? {};
    const posts = Array.from({ length: 120 }, async (_, i) => {
      const person = [alice, bob, carol][i % 3] ?? alice;
      const home = homes[i % 2];
      const message = await person.say(home?.general.id ?? "", `post ${i}`);
      if (i % 10 === 0) await person.post(`/messages/${message.id}/reactions`, { emoji: "👍" });
      if (i % 10 === 1) await person.patch(`/messages/${message.id}`, { content: "corrected" });
    });
    await Promise.all(posts);
    for (const home of homes) {
      await (home === homes[0] ? alice : bob).patch(`/servers/${home.id}`, { name: "the end" });
      for (const ear of ears) {
        await ear.settle();
        const mine = ear.frames.filter((frame) => frame.server_id === home.id && frame.seq !== undefined);
        const first = (starts[home.id] ?? 0) + 1;
        expect(mine.map((frame) => frame.seq)).toEqual(mine.map((_, i) => first + i));
        expect(mine).toHaveLength(60 + 12 + 1);
        const theirs = ears[0]?.frames.filter(
          (frame) => frame.server_id === home.id && frame.seq !== undefined,
        );
        expect(mine).toEqual(theirs ?? []);
      }
    }
  });

  test("skip, for who may not see all, but go on increasing", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, {
      permissions: permission.SEND_MESSAGES,
    });
    const [hers, his] = [await alice.listen(), await bob.listen()];
    await alice.patch(`/servers/${home.id}`, { name: "a" });
    await alice.say(home.general.id, "unheard");
    await alice.say(home.general.id, "unheard");
    await alice.patch(`/servers/${home.id}`, { name: "b" });
    const heard = [await his.next("SERVER_UPDATE"), await his.next("SERVER_UPDATE")];
    expect(heard[1]?.seq).toBe((heard[0]?.seq ?? 0) + 3);
    await hers.next("SERVER_UPDATE");
    expect(await hers.next("SERVER_UPDATE")).toEqual(heard[1] as never);
  });

  test("what is live only has none: typing, presence, profiles", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const ear = await alice.listen();
    await bob.listen();
    await bob.post(`/channels/${home.general.id}/typing`);
    await bob.patch("/auth/me", { display_name: "Bobby" });
    for (const type of ["PRESENCE_UPDATE", "TYPING_START", "USER_UPDATE"]) {
      await ear.untilAll(() => ear.heard(type).length > 0);
      for (const frame of ear.heard(type)) {
        expect(frame).not.toHaveProperty("seq");
        expect(frame.server_id).toBe(home.id);
      }
    }
  });
});
