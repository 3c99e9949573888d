// Reacting: once each, removed, counted, listed, in events, and within limits (T31).
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { sweep } from "../../tests/house/scenes/swept.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Message } from "../messages/contract.ts";

interface Reaction {
  emoji: string;
  count: number;
  user_ids: string[];
}

onEachEngine("reactions", (house) => {
  let [olga, bob, mia]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let message: Message;

  beforeAll(async () => {
    [olga, bob, mia] = await Promise.all(["olga", "bob", "mia"].map((name) => house().person(name)));
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!, mia!);
  });
  beforeEach(async () => {
    message = await olga!.say(home.general.id, "What do you think?");
  });

  const react = (by: TestPerson | undefined, emoji: unknown) =>
    by!.post(`/messages/${message.id}/reactions`, { emoji });
  const undo = (by: TestPerson | undefined, emoji: string) =>
    by!.delete(`/messages/${message.id}/reactions/${encodeURIComponent(emoji)}`);
  const list = async () => (await olga!.get<Reaction[]>(`/messages/${message.id}/reactions`)).body;

  test("reactions are grouped by emoji in the order of their first, and each reader sees their own", async () => {
    expect(verdict(await react(bob, "🐸"))).toBe("204");
    await Bun.sleep(2);
    await react(mia, "👍");
    await Bun.sleep(2);
    await react(olga, "🐸");

    const groups = await list();
    expect(groups.map(({ emoji, count, user_ids }) => [emoji, count, [...user_ids].sort()])).toEqual([
      ["🐸", 2, [bob!.id, olga!.id].sort()],
      ["👍", 1, [mia!.id]],
    ]);
    const shown = async (who: TestPerson | undefined, path: string) => {
      const { body } = await who!.get<Message | Message[]>(path);
      return (Array.isArray(body) ? body[0] : body)?.reactions;
    };
    for (const path of [`/channels/${home.general.id}/messages`, `/messages/${message.id}`]) {
      expect(await shown(bob, path)).toEqual([
        { emoji: "🐸", count: 2, me: true },
        { emoji: "👍", count: 1, me: false },
      ]);
      expect(await shown(mia, path)).toEqual([
        { emoji: "🐸", count: 2, me: false },
        { emoji: "👍", count: 1, me: true },
      ]);
    }
  });

  test("what changed is told, what did not is not", async () => {
    const ear = await mia!.listen();
    const answers = [
      await react(bob, "❤"),
      await react(bob, "❤️"),
      await undo(bob, "❤"),
      await undo(bob, "❤️"),
    ];
    expect(verdicts(answers)).toEqual(["204", "204", "204", "204"]);
    await olga!.say(home.general.id, "after it");
    await ear.next("MESSAGE_CREATE");
    const change = { message_id: message.id, channel_id: home.general.id, user_id: bob!.id, emoji: "❤️" };
    const told = ear.frames.filter((frame) => frame.type.startsWith("REACTION_"));
    expect(told.map((frame) => [frame.type, frame.data as unknown])).toEqual([
      ["REACTION_ADD", change],
      ["REACTION_REMOVE", change],
    ]);
    expect(await list()).toEqual([]);
    ear.close();
  });

  test("one takes back one's own only", async () => {
    await react(bob, "👍");
    expect(verdict(await undo(mia, "👍"))).toBe("204");
    expect(await list()).toEqual([{ emoji: "👍", count: 1, user_ids: [bob!.id] }]);
  });

  test("twenty reactions of one person with one emoji at the same moment are one", async () => {
    const ear = await mia!.listen();
    const again = () => insisted(() => react(bob, "🐸"));
    const answers = await Promise.all(Array.from({ length: 20 }, again));
    expect(new Set(verdicts(answers))).toEqual(new Set(["204"]));
    expect(await list()).toEqual([{ emoji: "🐸", count: 1, user_ids: [bob!.id] }]);
    await olga!.say(home.general.id, "after it");
    await ear.next("MESSAGE_CREATE");
    expect(ear.heard("REACTION_ADD")).toHaveLength(1);
    ear.close();
  });

  test("changes that are told of add up to what is listed, also when all come at once", async () => {
    const ear = await mia!.listen();
    const answers = await Promise.all([bob, mia, olga].flatMap((by) => [react(by, "🐝"), undo(by, "🐝")]));
    expect(new Set(verdicts(answers))).toEqual(new Set(["204"]));
    await olga!.say(home.general.id, "after it");
    await ear.next("MESSAGE_CREATE");
    const added = ear.heard("REACTION_ADD").length;
    const count = added - ear.heard("REACTION_REMOVE").length;
    expect(added).toBe(3);
    expect((await list()).map((each) => each.count)).toEqual(count > 0 ? [count] : []);
    for (const by of [bob, mia, olga]) await undo(by, "🐝");
    ear.close();
  });

  test("a message takes twenty different emoji, also when thirty come at once; more of the same always fit", async () => {
    const thirty = Array.from({ length: 30 }, (_, i) => `:e${i}:`);
    const answers = await Promise.all(thirty.map((emoji) => insisted(() => react(bob, emoji))));
    expect(verdicts(answers).filter((each) => each === "204")).toHaveLength(20);
    expect(new Set(verdicts(answers))).toEqual(new Set(["204", "400 invalid_request"]));
    const there = await list();
    expect(there).toHaveLength(20);
    expect(verdicts([await react(mia, there[0]?.emoji), await react(mia, ":new:")])).toEqual([
      "204",
      "400 invalid_request",
    ]);
    await undo(mia, there[0]?.emoji ?? "");
    await undo(bob, there[0]?.emoji ?? "");
    expect(verdict(await react(mia, ":new:"))).toBe("204");
  });

  test("what is no emoji is refused, whatever its size", async () => {
    const wrong = [
      "",
      "a",
      "👍👍",
      "..",
      "%2F",
      "/",
      ":a b:",
      "👨‍👩‍".repeat(30),
      "x".repeat(200_000),
      7,
      null,
      undefined,
      ["👍"],
      "\0",
    ];
    for (const emoji of wrong) {
      expect([String(emoji).slice(0, 20), verdict(await react(bob, emoji))]).toEqual([
        String(emoji).slice(0, 20),
        "400 invalid_request",
      ]);
    }
    expect(verdict(await react(bob, "👍".repeat(200_000)))).toBe("413 too_large");
    expect(await list()).toEqual([]);
  });

  test("a name between colons may fill its 64 bytes, and not one more", async () => {
    const longest = `:${"n".repeat(62)}:`;
    expect(verdicts([await react(bob, longest), await react(bob, `:${"n".repeat(63)}:`)])).toEqual([
      "204",
      "400 invalid_request",
    ]);
    expect((await list()).map((each) => each.emoji)).toEqual([longest]);
    await undo(bob, longest);
    expect(await list()).toEqual([]);
  });

  test("a path that ends in anything at all is answered without a fault", async () => {
    await react(bob, "👍");
    const answers: Record<string, string> = {};
    for (const end of [
      "%2F",
      "%2e%2e%2f",
      "%00",
      "%ff",
      "%E0%A4%A",
      "%",
      "a",
      "x".repeat(5000),
      "%F0%9F%91%8D%20",
    ]) {
      const answer = verdict(await bob!.delete(`/messages/${message.id}/reactions/${end}`));
      if (!["204", "404 not_found", "400 invalid_request"].includes(answer))
        answers[end.slice(0, 20)] = answer;
    }
    expect(answers).toEqual({});
    expect(await list()).toHaveLength(1);
  });

  test("every emoji that can be given can be taken back through a path", async () => {
    const all = ["👍🏽", "❤️", "1️⃣", "#️⃣", "👩‍🚀", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", ":+1:", "🏳️‍🌈"];
    expect(new Set(verdicts(await Promise.all(all.map((emoji) => react(bob, emoji)))))).toEqual(
      new Set(["204"]),
    );
    expect((await list()).map((each) => each.emoji).sort()).toEqual([...all].sort());
    for (const emoji of all) await undo(bob, emoji);
    expect(await list()).toEqual([]);
  });

  test("a muted member does not react but takes back; with the message its reactions go", async () => {
    await react(bob, "👍");
    const everyone = `/servers/${home.id}/roles/${home.everyone.id}`;
    await olga!.patch(everyone, { permissions: permission.VIEW_CHANNEL });
    expect(verdicts([await react(bob, "🐸"), await undo(bob, "👍")])).toEqual(["403 forbidden", "204"]);
    await olga!.patch(everyone, { permissions: defaultPermissions });
    await react(bob, "🐸");
    const other = await olga!.say(home.general.id, "Is it kept?");
    await bob!.post(`/messages/${other.id}/reactions`, { emoji: "🐸" });
    await olga!.delete(`/messages/${message.id}`);
    expect(verdicts([await react(bob, "👍"), await undo(bob, "🐸")])).toEqual([
      "404 not_found",
      "404 not_found",
    ]);
    await sweep(house());
    for (const table of ["reactions", "reaction_counts"] as const) {
      const db = house().running.house.database.read;
      const left = await db.selectFrom(table).selectAll().where("message_id", "=", message.id).execute();
      expect(left).toEqual([]);
    }
    const kept = [{ emoji: "🐸", count: 1, user_ids: [bob!.id] }];
    expect((await bob!.get<Reaction[]>(`/messages/${other.id}/reactions`)).body).toEqual(kept);
  });
});
