// Correcting and deleting messages: authors do it with their own, moderators delete in bulk.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Message } from "./contract.ts";

onEachEngine("correcting and taking back", (house) => {
  let [olga, bob, mia]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let message: Message;

  beforeAll(async () => {
    [olga, bob, mia] = await Promise.all(["olga", "bob", "mia"].map((name) => house().person(name)));
  });
  beforeEach(async () => {
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!, mia!);
    message = await bob!.say(home.general.id, "helo");
  });

  const correct = (by: TestPerson | undefined, content: unknown) =>
    by!.patch<Message>(`/messages/${message.id}`, { content });
  const bulk = (by: TestPerson | undefined, message_ids: unknown) =>
    by!.post(`/channels/${home.general.id}/messages/bulk-delete`, { message_ids });
  const page = async () => (await mia!.get<Message[]>(`/channels/${home.general.id}/messages`)).body;
  const everyoneHolds = (permissions: number) =>
    olga!.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions });

  test("Bob corrects himself: the others hear it and read it, with the time of it", async () => {
    const ear = await mia!.listen();
    await bob!.post(`/messages/${message.id}/reactions`, { emoji: "👍" });
    const changed = await correct(bob, " hello ");
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...message,
      content: "hello",
      edited_at: changed.body.edited_at,
      reactions: [{ emoji: "👍", count: 1, me: true }],
    });
    expect(Date.parse(changed.body.edited_at ?? "")).toBeGreaterThanOrEqual(Date.parse(message.created_at));
    const heard = await ear.next("MESSAGE_UPDATE");
    expect(heard.data as unknown).toEqual({ ...changed.body, reactions: [{ emoji: "👍", count: 1 }] });
    expect(await page()).toEqual([{ ...changed.body, reactions: [{ emoji: "👍", count: 1, me: false }] }]);
    ear.close();
  });

  test("the same words again are no correction", async () => {
    const ear = await mia!.listen();
    expect((await correct(bob, "helo")).body).toEqual(message);
    await bob!.say(home.general.id, "after it");
    await ear.next("MESSAGE_CREATE");
    expect(ear.heard("MESSAGE_UPDATE")).toEqual([]);
    ear.close();
  });

  test("nobody else corrects or takes back what Bob said, whatever their rights", async () => {
    await olga!.giveRole(home.id, mia!, permission.ADMINISTRATOR | permission.MANAGE_MESSAGES, 50);
    for (const other of [olga, mia]) {
      expect(
        verdicts([await correct(other, "lies"), await other!.delete(`/messages/${message.id}`)]),
      ).toEqual(["403 author_only", "403 author_only"]);
    }
    expect(await page()).toEqual([message]);
  });

  test("a correction is a message like another: not empty, not too long, storable", async () => {
    for (const content of ["", "  ", "x".repeat(4001), "a\0b", "a\ud800", 7, null, undefined]) {
      expect([content, verdict(await correct(bob, content))]).toEqual([content, "400 invalid_request"]);
    }
    expect(await page()).toEqual([message]);
  });

  test("muted, Bob can take back but not correct; blind, neither; banned, nothing", async () => {
    const second = await bob!.say(home.general.id, "second");
    await everyoneHolds(permission.VIEW_CHANNEL);
    expect(verdict(await correct(bob, "hello"))).toBe("403 forbidden");
    expect(verdict(await bob!.delete(`/messages/${second.id}`))).toBe("204");
    await everyoneHolds(permission.SEND_MESSAGES);
    expect(verdicts([await correct(bob, "hello"), await bob!.delete(`/messages/${message.id}`)])).toEqual([
      "404 not_found",
      "404 not_found",
    ]);
    await everyoneHolds(3);
    await olga!.put(`/servers/${home.id}/bans/${bob!.id}`);
    expect(verdicts([await correct(bob, "hello"), await bob!.delete(`/messages/${message.id}`)])).toEqual([
      "404 not_found",
      "404 not_found",
    ]);
    expect(await page()).toEqual([message]);
  });

  test("taken back, it is gone for everybody, once", async () => {
    const ear = await mia!.listen();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bob!.delete(`/messages/${message.id}`)),
    );
    expect(verdicts(answers).sort()).toEqual(["204", ...Array(4).fill("404 not_found")]);
    expect((await ear.next("MESSAGE_DELETE")).data as unknown).toEqual({
      id: message.id,
      channel_id: home.general.id,
    });
    await bob!.say(home.general.id, "after it");
    await ear.next("MESSAGE_CREATE");
    expect(ear.heard("MESSAGE_DELETE")).toHaveLength(1);
    expect(verdicts([await mia!.get(`/messages/${message.id}`), await correct(bob, "hello")])).toEqual([
      "404 not_found",
      "404 not_found",
    ]);
    ear.close();
  });

  test("a moderator removes many at once, whoever wrote them, each told once; foreign ids are passed over", async () => {
    await olga!.giveRole(home.id, mia!, permission.MANAGE_MESSAGES);
    const room = (await olga!.post<{ id: string }>("/channels", { server_id: home.id, name: "other" })).body;
    const elsewhere = await olga!.say(room.id, "next door");
    const second = await olga!.say(home.general.id, "second");
    const third = await bob!.say(home.general.id, "third");
    const ear = await bob!.listen();
    const unknown = "01890000-0000-7000-8000-000000000000";

    const list = [second.id, message.id, message.id.toUpperCase(), elsewhere.id, unknown];
    expect(verdict(await bulk(mia, list))).toBe("204");

    const heard = [await ear.next("MESSAGE_DELETE"), await ear.next("MESSAGE_DELETE")];
    expect(heard.map((frame) => String(frame.data.id))).toEqual([second.id, message.id]);
    expect((await page()).map(({ id }) => id)).toEqual([third.id]);
    expect(verdict(await olga!.get(`/messages/${elsewhere.id}`))).toBe("200");
    expect(verdict(await bulk(mia, list))).toBe("204");
    await bob!.say(home.general.id, "after it");
    await ear.next("MESSAGE_CREATE");
    expect(ear.heard("MESSAGE_DELETE")).toHaveLength(2);
    ear.close();
  });

  test("a bulk names 1 to 100 ids, and needs MANAGE_MESSAGES even for one's own", async () => {
    const lists = [[], Array(101).fill(message.id), ["that one"], [null], message.id, null, undefined];
    for (const list of lists)
      expect([list, verdict(await bulk(olga, list))]).toEqual([list, "400 invalid_request"]);
    expect(verdict(await bulk(bob, [message.id]))).toBe("403 forbidden");
    expect(await page()).toEqual([message]);
    expect(verdict(await bulk(olga, Array(100).fill(message.id)))).toBe("204");
    expect(await page()).toEqual([]);
  });
});
