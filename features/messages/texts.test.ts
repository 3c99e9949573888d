// Valid and invalid texts, replies and attachments of messages.
import { beforeAll, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Message } from "./contract.ts";

onEachEngine("texts", (house) => {
  let [olga, bob]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  beforeAll(async () => {
    [olga, bob] = await Promise.all(["olga", "bob"].map((name) => house().person(name)));
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!);
  });

  const post = (body: unknown, by = olga) => by!.post<Message>(`/channels/${home.general.id}/messages`, body);
  const count = async () =>
    (await olga!.get<Message[]>(`/channels/${home.general.id}/messages?limit=100`)).body.length;

  test("texts come back as they were said: any alphabet, any direction, any markup", async () => {
    const texts = [
      "x".repeat(4000),
      "🐸".repeat(4000),
      "<script>alert(1)</script> ' \" \\ ; -- %s $1",
      "\u202eright to left\u202c, zero\u200bwidth, Z̸̢̛͎a̵l̷g̸o̶",
      "line\n\nbreaks\tand\u0001controls",
      "null",
      '{"$ne":1}',
      "👩‍👩‍👧‍👦 עברית العربية 中文",
    ];
    for (const content of texts) {
      const posted = await post({ content });
      expect(posted.status).toBe(201);
      expect((await bob!.get<Message>(`/messages/${posted.body.id}`)).body.content).toBe(content);
    }
  });

  test("a message is at least something and at most 4000 characters, trimmed; what cannot be stored is refused", async () => {
    expect((await post({ content: `  ${"x".repeat(4000)}\n ` })).body.content).toBe("x".repeat(4000));
    const before = await count();
    const wrong: unknown[] = [
      {},
      { content: "" },
      { content: " \n\t " },
      { content: "x".repeat(4001) },
      { content: "🐸".repeat(4001) },
      { content: "a\0b" },
      { content: "a\ud83db" },
      { content: "a\udc38b" },
      { content: 7 },
      { content: null },
      { content: ["hello"] },
      { content: { $ne: "" } },
      { content: "x", nonce: "" },
      { content: "x", nonce: "n".repeat(65) },
      { content: "x", nonce: 7 },
      { content: "x", attachments: "all" },
      { content: "x", attachments: Array(11).fill("/files/a.png") },
      { content: "x", attachments: ["/files/somebody-elses.png"] },
      { content: "", attachments: ["/files/somebody-elses.png"] },
      { content: "x", reply_to: "that one" },
      { content: "x", reply_to: 7 },
      [],
      "content",
      null,
    ];
    for (const body of wrong) {
      const text = typeof body === "string" ? JSON.stringify(body) : body;
      expect([body, verdict(await post(text))]).toEqual([body, "400 invalid_request"]);
    }
    for (const body of [
      "",
      "{",
      '{"content":"a","content":"b"}',
      "{'content':'a'}",
      `${"[".repeat(10_000)}`,
    ]) {
      expect([body, verdict(await post(body))]).toEqual([body, "400 malformed_json"]);
    }
    expect(verdict(await post({ content: "x", more: "y".repeat(300_000) }))).toBe("413 too_large");
    expect(await count()).toBe(before);
  });

  test("nobody speaks for another, at another time, or under an id of their choice", async () => {
    const id = "01890000-0000-7000-8000-000000000000";
    const { body } = await post(
      {
        content: "It is I.",
        id,
        author: { id: olga!.id },
        author_id: olga!.id,
        created_at: 0,
        edited_at: 1,
        mentions: { everyone: true },
      },
      bob,
    );
    expect(body).toMatchObject({
      author: { id: bob!.id, kind: "user" },
      edited_at: null,
      mentions: { everyone: false },
      channel_id: home.general.id,
      server_id: home.id,
    });
    expect(body.id).not.toBe(id);
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000);
  });

  test("a reply names a message of the same channel, and outlives it", async () => {
    const question = await bob!.say(home.general.id, "Is anybody here?");
    const answer = await post({ content: "Yes.", reply_to: question.id.toUpperCase() });
    expect(answer.body.reply_to).toBe(question.id);
    expect((await post({ content: "Nothing.", reply_to: null })).body.reply_to).toBeNull();

    await bob!.delete(`/messages/${question.id}`);
    expect((await bob!.get<Message>(`/messages/${answer.body.id}`)).body.reply_to).toBe(question.id);
    expect(verdict(await post({ content: "Too late.", reply_to: question.id }))).toBe("400 invalid_request");
  });

  test("a reply to another channel, or to what one cannot see, is refused as one to nothing is", async () => {
    const room = (await olga!.post<{ id: string }>("/channels", { server_id: home.id, name: "other" })).body;
    const elsewhere = await olga!.makeServer("Elsewhere");
    const targets = [
      (await olga!.say(room.id, "next door")).id,
      (await olga!.say(elsewhere.general.id, "a secret")).id,
      "01890000-0000-7000-8000-000000000000",
    ];
    const answers = await Promise.all(targets.map((reply_to) => post({ content: "What?", reply_to }, bob)));
    const bodies = answers.map(({ body }) => JSON.stringify({ ...body, request_id: "" }));
    expect(new Set(verdicts(answers))).toEqual(new Set(["400 invalid_request"]));
    expect(new Set(bodies).size).toBe(1);
  });
});
