// Saying it once: what a nonce stands for, for whom, where, and for how long.
import { beforeAll, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/engines.ts";
import { upload } from "../../tests/house/files.ts";
import type { TestPerson } from "../../tests/house/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Message } from "./contract.ts";

onEachEngine("nonces", (house) => {
  let [olga, bob]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let room: string;

  beforeAll(async () => {
    [olga, bob] = await Promise.all(["olga", "bob"].map((name) => house().person(name)));
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!);
    room = (await olga!.post<{ id: string }>("/channels", { server_id: home.id, name: "other" })).body.id;
  });

  const post = (
    nonce: string,
    content = "once",
    by = olga,
    more: Record<string, unknown> = {},
    where = home.general.id,
  ) => by!.post<Message>(`/channels/${where}/messages`, { content, nonce, ...more });

  test("a repeated post answers 200 with the first message, and is told to nobody", async () => {
    const ear = await bob!.listen();
    const first = await post("a");
    const again = await post("a");
    await olga!.say(home.general.id, "after it");
    await ear.until((frame) => String(frame.data.content) === "after it");
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(ear.heard("MESSAGE_CREATE")).toHaveLength(2);
    ear.close();
  });

  test("it has at most 64 characters, and an emoji is one", async () => {
    const long = "🍵".repeat(64);
    expect((await post(long)).body.nonce).toBe(long);
    expect(verdict(await post(long))).toBe("200");
    expect(verdicts([await post(`${long}!`), await post("")])).toEqual([
      "400 invalid_request",
      "400 invalid_request",
    ]);
  });

  test("it belongs to one author in one channel", async () => {
    const answers = [await post("b"), await post("b", "once", bob), await post("b", "once", olga, {}, room)];
    expect(verdicts(answers)).toEqual(["201", "201", "201"]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(3);
  });

  test("under a used nonce nothing else is said: not another text, not the same as a reply", async () => {
    const { id } = (await post("c")).body;
    expect(verdicts([await post("c", "other"), await post("c", "once", olga, { reply_to: id })])).toEqual([
      "409 conflict",
      "409 conflict",
    ]);
    expect(verdict(await post("c"))).toBe("200");
  });

  test("a message that was corrected since is answered as it is now", async () => {
    const { id } = (await post("d")).body;
    await olga!.patch(`/messages/${id}`, { content: "corrected" });
    const again = await post("d");
    expect([again.status, again.body.content]).toEqual([200, "corrected"]);
  });

  test("once it was corrected, only what was posted first is answered; other words, an answer or files are refused, not dropped", async () => {
    const [answered, file] = [await olga!.say(home.general.id, "?"), await upload(olga!, "1.txt", "1")];
    const { id } = (await post("g", "  tea  ", olga, { attachments: [file.url] })).body;
    await olga!.patch(`/messages/${id}`, { content: "coffee" });
    const ear = await bob!.listen();
    const others = [
      await post("g", "coffee", olga, { attachments: [file.url] }),
      await post("g", "milk", olga, { attachments: [file.url] }),
      await post("g", "tea", olga, { attachments: [file.url], reply_to: answered.id }),
      await post("g", "tea", olga, { attachments: [file.url, file.url] }),
      await post("g", "tea"),
    ];
    expect(verdicts(others)).toEqual(others.map(() => "409 conflict"));
    for (const content of ["tea", "  tea  "]) {
      const again = await post("g", content, olga, { attachments: [file.url], reply_to: null });
      expect([again.status, again.body.id, again.body.content]).toEqual([200, id, "coffee"]);
    }
    await ear.settle();
    expect(ear.heard("MESSAGE_CREATE")).toEqual([]);
    ear.close();
  });

  test("a nonce from before bodies were kept goes by what the message says", async () => {
    const { id } = (await post("h", "old")).body;
    await house().running.house.database.transaction((db) =>
      db.updateTable("message_nonces").set({ body_hash: null }).where("message_id", "=", id).execute(),
    );
    expect(verdicts([await post("h", "old"), await post("h", "new")])).toEqual(["200", "409 conflict"]);
    await olga!.patch(`/messages/${id}`, { content: "corrected" });
    expect((await post("h", "old")).body.content).toBe("corrected");
  });

  test("a retry never brings a deleted message back", async () => {
    const { id } = (await post("e")).body;
    await olga!.delete(`/messages/${id}`);
    expect((await post("e")).status).not.toBe(201);
    expect(verdict(await olga!.get(`/messages/${id}`))).toBe("404 not_found");
  });

  test("a nonce outlives a restart, and is forgotten after a day", async () => {
    const { id } = (await post("f")).body;
    await house().restart();
    expect((await post("f")).body.id).toBe(id);
    const yesterday = Date.now() - 24 * 3600_000 - 1000;
    await house().running.house.database.transaction((db) =>
      db.updateTable("message_nonces").set({ created_at: yesterday }).where("message_id", "=", id).execute(),
    );
    const next = await post("f");
    expect(next.status).toBe(201);
    expect(next.body.id).not.toBe(id);
    expect((await post("f")).body.id).toBe(next.body.id);
  });

  test("a mixed crowd of first and repeated posts makes each message once", async () => {
    const posts = Array.from({ length: 60 }, (_, i) => post(`crowd ${i % 20}`, `text ${i % 20}`));
    const answers = await Promise.all(posts);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
    expect(new Set(answers.map(({ body }) => `${body.id} ${body.content}`)).size).toBe(20);
  });
});
