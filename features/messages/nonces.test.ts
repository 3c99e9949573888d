// Nonces: the message, author and channel that each belongs to, and how long it is kept.
import { beforeAll, expect, setSystemTime, test } from "bun:test";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { upload } from "../../tests/house/scenes/files.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Message } from "./contract.ts";
import { messages } from "./handlers.ts";

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
    const file = await upload(olga!, "1.txt", "1");
    const others = [
      await post("h", "new"),
      await post("h", "old", olga, { reply_to: id }),
      await post("h", "old", olga, { attachments: [file.url] }),
    ];
    expect(verdicts([await post("h", "old"), ...others])).toEqual(["200", ...Array(3).fill("409 conflict")]);
    await olga!.patch(`/messages/${id}`, { content: "corrected" });
    expect((await post("h", "old")).body.content).toBe("corrected");
  });

  test("a repeated answer is the first one, also when what it answered is gone by then", async () => {
    const asked = await bob!.say(home.general.id, "Tea?");
    const first = await post("i", "yes", olga, { reply_to: asked.id });
    await bob!.delete(`/messages/${asked.id}`);
    const ear = await bob!.listen();
    const again = await post("i", "yes", olga, { reply_to: asked.id });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(verdicts([await post("i", "no", olga, { reply_to: asked.id })])).toEqual(["409 conflict"]);
    expect(verdicts([await post("j", "yes", olga, { reply_to: asked.id })])).toEqual(["400 invalid_request"]);
    await ear.settle();
    expect(ear.heard("MESSAGE_CREATE")).toEqual([]);
    ear.close();
  });

  test("nor does it need the file still to be there that was shown, but the right to speak", async () => {
    const file = await upload(olga!, "1.txt", "1");
    const shown = await upload(bob!, "2.txt", "2");
    const first = await post("k", "look", olga, { attachments: [file.url] });
    const his = await post("k", "look", bob, { attachments: [shown.url] });
    await house().running.house.database.transaction(async (db) => {
      await db.deleteFrom("file_uses").execute();
      await db.deleteFrom("uploads").where("owner_id", "in", [olga!.id, bob!.id]).execute();
    });
    const again = await post("k", "look", olga, { attachments: [file.url] });
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
    expect(verdict(await post("l", "look", olga, { attachments: [file.url] }))).toBe("400 invalid_request");
    const everyone = `/servers/${home.id}/roles/${home.everyone.id}`;
    await olga!.patch(everyone, { permissions: permission.VIEW_CHANNEL });
    expect(his.status).toBe(201);
    expect(verdict(await post("k", "look", bob, { attachments: [shown.url] }))).toBe("403 forbidden");
    await olga!.patch(everyone, { permissions: defaultPermissions });
    expect(verdict(await post("k", "look", bob, { attachments: [shown.url] }))).toBe("200");
  });

  test("a retry never brings a deleted message back", async () => {
    const { id } = (await post("e")).body;
    await olga!.delete(`/messages/${id}`);
    expect((await post("e")).status).not.toBe(201);
    expect(verdict(await olga!.get(`/messages/${id}`))).toBe("404 not_found");
  });

  test("a nonce outlives a restart, and is forgotten after a day, not sooner", async () => {
    const { id } = (await post("f")).body;
    await house().restart();
    expect((await post("f")).body.id).toBe(id);
    const setBack = (ms: number) =>
      house().running.house.database.transaction((db) =>
        db
          .updateTable("message_nonces")
          .set({ created_at: Date.now() - ms })
          .where("message_id", "=", id)
          .execute(),
      );
    const day = 24 * 3600_000;
    await setBack(day - 600_000);
    expect(verdict(await post("f"))).toBe("200");
    await setBack(day + 1000);
    const next = await post("f");
    expect(next.status).toBe(201);
    expect(next.body.id).not.toBe(id);
    expect((await post("f")).body.id).toBe(next.body.id);
  });

  test("old ones are forgotten a few hundred at a time, as a busy day leaves millions", async () => {
    await house().quiet();
    const old = { author_id: olga!.id, channel_id: room, message_id: home.id, body_hash: null };
    const created_at = Date.now() - 25 * 3600_000;
    const rows = Array.from({ length: 1200 }, (_, i) => ({ ...old, nonce: `old ${i}`, created_at }));
    await fill(house(), "message_nonces", rows);
    const { id } = (await post("m")).body;
    const younger = { ...old, nonce: "younger", created_at: Date.now() - 23 * 3600_000 };
    await fill(house(), "message_nonces", [younger]);
    const job = messages.jobs?.find((each) => each.name === "forget old nonces");
    // The job does not run while the clock is in doubt.
    expect(job?.deletesByAge).toBe(true);
    const { rowsInOneTurn } = await statementsOf(house(), async () => {
      while (await job?.run(house().running.house)) await new Promise(setImmediate);
    });
    expect(rowsInOneTurn).toBeLessThanOrEqual(510);
    const { read } = house().running.house.database;
    const left = read.selectFrom("message_nonces").select("nonce").where("message_id", "=", home.id);
    expect(await left.execute()).toEqual([{ nonce: "younger" }]);
    expect((await post("m")).body.id).toBe(id);
  });

  test("a mixed crowd of first and repeated posts makes each message once", async () => {
    const posts = Array.from({ length: 60 }, (_, i) =>
      insisted(() => post(`crowd ${i % 20}`, `text ${i % 20}`)),
    );
    const answers = await Promise.all(posts);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40);
    expect(new Set(answers.map(({ body }) => `${body.id} ${body.content}`)).size).toBe(20);
  });

  // The last test: afterwards the clock stays in doubt for a while.
  test("while the clock is doubted, a nonce that seems to be days old stands for its message all the same", async () => {
    const { id } = (await post("doubted")).body;
    try {
      setSystemTime(Date.now() + 10 * 24 * 3600_000);
      const again = await post("doubted");
      expect([again.status, again.body.id]).toEqual([200, id]);
    } finally {
      setSystemTime();
    }
  });
});
