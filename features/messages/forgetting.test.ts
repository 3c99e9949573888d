// Deleted messages and replaced texts are removed from the log; numbers, times and other events stay.
import { afterEach, beforeAll, expect, test } from "bun:test";
import { headOf, readLog } from "../../server/house/log-table.ts";
import { nextTurn } from "../../server/house/pieces.ts";
import { personStream, serverStream } from "../../server/place.ts";
import { onEachEngine, onOneProcess } from "../../tests/house/open/engines.ts";
import type { Ear, ResumePoint } from "../../tests/house/people/ear.ts";
import { forgetNow, walkAnew } from "../../tests/house/scenes/forgotten.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { forgetWords } from "./forgetting.ts";

onEachEngine("a log that forgets", (house) => {
  const stage = homeForEach(house);
  const ears: Ear[] = [];
  beforeAll(() => house().quiet());
  afterEach(() => {
    for (const ear of ears.splice(0)) ear.close();
  });

  const rows = () => {
    const { database } = house().running.house;
    return readLog(database.read, { stream: serverStream(stage.home.id), after: 0, up_to: 1000 }, 1000);
  };

  async function listen(...resume: Parameters<typeof stage.bob.listen>): Promise<Ear> {
    const ear = await stage.bob.listen(...resume);
    ears.push(ear);
    return ear;
  }

  /** The events about messages that Bob receives when he resumes from this point. */
  async function replayed(since: ResumePoint) {
    const { frames, types } = await listen(since);
    expect(types.at(-1)).toBe("RESUMED");
    return frames
      .filter(({ type }) => type.startsWith("MESSAGE_"))
      .map(({ type, data, seq }) => ({ type, content: data.content, seq }));
  }

  async function forget(): Promise<void> {
    await walkAnew(house());
    await forgetNow(house());
  }

  test("loses what a deleted message said and was corrected to, and keeps its numbers, times and its deletion", async () => {
    const since = (await listen()).resumePoint;
    const { id } = await stage.olga.say(stage.home.general.id, "the walrus wears a hat");
    await stage.olga.patch(`/messages/${id}`, { content: "the walrus wears a crown" });
    await stage.olga.say(stage.home.general.id, "nothing to see");
    await stage.olga.delete(`/messages/${id}`);
    const before = await rows();
    expect(JSON.stringify(before)).toContain("walrus wears a hat");
    await forget();

    const after = await rows();
    expect(JSON.stringify(after)).not.toContain("walrus");
    expect(after.map(({ seq, touches, ends }) => ({ seq, touches, ends }))).toEqual(
      before.map(({ seq, touches, ends }) => ({ seq, touches, ends })),
    );
    const last = before.at(-1)?.seq ?? 0;
    expect(await replayed(since)).toEqual([
      { type: "MESSAGE_CREATE", content: "nothing to see" as never, seq: last - 1 },
      { type: "MESSAGE_DELETE", content: undefined as never, seq: last },
    ]);
  });

  test("says of a corrected message what it says now, in each of its events", async () => {
    const since = (await listen()).resumePoint;
    const { id } = await stage.olga.say(stage.home.general.id, `the walrus calls @${stage.bob.username}`);
    for (const content of ["the walrus hums", 'it "hums"'])
      await stage.olga.patch(`/messages/${id}`, { content });
    await forget();

    expect(JSON.stringify(await rows())).not.toContain("walrus");
    const heard = await replayed(since);
    expect(heard.map(({ type, content }) => [type, content as unknown])).toEqual([
      ["MESSAGE_CREATE", 'it "hums"'],
      ["MESSAGE_UPDATE", 'it "hums"'],
      ["MESSAGE_UPDATE", 'it "hums"'],
    ]);
    const [created] = (await rows()).filter(({ frame }) => frame.includes(id));
    const now = (await stage.olga.get(`/messages/${id}`)).body;
    const { mentions, edited_at } = JSON.parse(created?.frame ?? "").data;
    expect({ mentions, edited_at }).toEqual({ mentions: now.mentions as never, edited_at: now.edited_at });
  });

  test("a client whose last event was erased is as it was: it resumes, and a log set back is noticed", async () => {
    const ear = await listen();
    const { id } = await stage.olga.say(stage.home.general.id, "soon gone");
    await ear.next("MESSAGE_CREATE");
    const { resumePoint } = ear;
    await stage.olga.delete(`/messages/${id}`);
    await forget();
    expect((await listen(resumePoint)).types).toEqual(["MESSAGE_DELETE", "RESUMED"]);
    const earlier = new Date(Date.parse(resumePoint.seen[stage.home.id] ?? "") - 1).toISOString();
    const setBack = { ...resumePoint, seen: { [stage.home.id]: earlier } };
    expect((await listen(setBack)).frames[0]?.type).toBe("READY");
  });

  test("channels and servers take along what was said in them", async () => {
    const { olga, home } = stage;
    const channel = (await olga.post(`/channels`, { server_id: home.id, name: "attic", type: "text" })).body;
    await olga.say(String(channel.id), "the walrus of the attic");
    await olga.say(home.general.id, "here to stay");
    // A page of the channel is cached by each process that was asked.
    for (let i = 0; i < 3; i++) await olga.get(`/channels/${channel.id}/messages`);
    expect((await olga.delete(`/channels/${channel.id}`)).status).toBe(204);
    await house().heard();
    for (const { house: each } of house().all)
      expect(each.cache("pages", 200).peek(String(channel.id))).toBeUndefined();
    // Messages that wait for their sweep are unreachable already.
    await walkAnew(house());
    while (await forgetWords.run(house().running.house));
    expect(JSON.stringify(await rows())).not.toContain("walrus");
    expect(JSON.stringify(await rows())).toContain("here to stay");

    for (let i = 0; i < 3; i++) await olga.get(`/channels/${home.general.id}/messages`);
    expect((await olga.delete(`/servers/${home.id}`)).status).toBe(204);
    await house().heard();
    for (const { house: each } of house().all)
      expect(each.cache("pages", 200).peek(home.general.id)).toBeUndefined();
    await walkAnew(house());
    while (await forgetWords.run(house().running.house));
    expect(JSON.stringify(await rows())).not.toContain("here to stay");
  });
});

onOneProcess("a long log that forgets", (house) => {
  const stage = homeForEach(house);

  test("is walked through in pieces, and a stream without news is passed over", async () => {
    await house().quiet();
    const { database } = house().running.house;
    const { olga, home } = stage;
    const stream = serverStream(home.id);
    const walk = async () => {
      await walkAnew(house());
      for (let runs = 1; ; runs++) if (!(await forgetWords.run(house().running.house))) return runs;
    };
    const walkedTo = async () =>
      (
        await database.read
          .selectFrom("log_walks")
          .select("walked_to")
          .where("stream", "=", stream)
          .executeTakeFirst()
      )?.walked_to;
    const { seq } = await headOf(database.read, stream);
    const { id } = await olga.say(home.general.id, "the first walrus");
    const long = 1200;
    const rows = Array.from({ length: long }, (_, i) => ({
      ...{ stream, seq: seq + 2 + i, audience: "viewers", touches: "", ends: null, replaces: null },
      ...{ frame: '{"type":"REACTION_ADD","data":{}}', created_at: Date.now() },
    }));
    await database.transaction(async (db) => {
      await database.insertRows(db, "events", rows, false);
      await db
        .updateTable("streams")
        .set({ seq: seq + 1 + long })
        .where("stream", "=", stream)
        .execute();
    });
    const last = await olga.say(home.general.id, "the last walrus");
    for (const each of [id, last.id]) await olga.delete(`/messages/${each}`);
    expect(await walk()).toBeGreaterThanOrEqual(3);
    const words = () =>
      database.read.selectFrom("events").select("seq").where("frame", "like", "%walrus%").execute();
    expect(await words()).toEqual([]);
    expect(await walkedTo()).toBe(seq + 1 + long + 3);

    // As if a pass had missed it: the event is not checked again before there are new ones.
    const frame = `{"type":"MESSAGE_CREATE","seq":${seq + 1},"data":{"id":"${id}","content":"walrus","attachments":[]}}`;
    await database.transaction((db) =>
      db
        .updateTable("events")
        .set({ frame })
        .where("stream", "=", stream)
        .where("seq", "=", seq + 1)
        .execute(),
    );
    await walk();
    expect((await words()).length).toBe(1);
    await olga.say(home.general.id, "news");
    await walk();
    expect(await words()).toEqual([]);
  });

  test("is walked through with everybody else's turn in between, and those of people, too", async () => {
    const { olga } = stage;
    const { database } = house().running.house;
    await olga.patch("/auth/me", { bio: "news of hers" });
    const servers = await Promise.all([0, 1, 2].map(() => olga.makeServer()));
    for (const { general } of servers) await olga.say(general.id, "news of it");
    const stream = serverStream(servers[0]?.id ?? "");
    const { seq } = await headOf(database.read, stream);
    const gone = Array.from({ length: 450 }, (_, i) => {
      const data = { id: Bun.randomUUIDv7(), content: "walrus", attachments: [] };
      return {
        ...{ stream, seq: seq + 1 + i, audience: "viewers", touches: "", ends: null, replaces: null },
        ...{ frame: JSON.stringify({ type: "MESSAGE_CREATE", data }), created_at: Date.now() },
      };
    });
    await database.transaction(async (db) => {
      await database.insertRows(db, "events", gone, false);
      await db
        .updateTable("streams")
        .set({ seq: seq + gone.length })
        .where("stream", "=", stream)
        .execute();
    });
    await walkAnew(house());
    let runs = 1;
    const { statements, rowsInOneTurn } = await statementsOf(house(), async () => {
      // Jobs run in turns of their own.
      for (; await forgetWords.run(house().running.house); runs++) await nextTurn();
    });
    expect(rowsInOneTurn).toBeLessThanOrEqual(250);
    const looks = statements.filter((each) => /from "streams".*order by "stream"/.test(each));
    expect([looks.length, runs >= 3]).toEqual([runs, true]);
    const rows = await database.read.selectFrom("events").selectAll().where("stream", "=", stream).execute();
    expect(rows.filter(({ frame }) => frame.includes("walrus"))).toEqual([]);
    const walked = await database.read.selectFrom("log_walks").select("stream").execute();
    const there = servers.map(({ id }) => serverStream(id));
    expect(walked.map(({ stream }) => stream)).toEqual(
      expect.arrayContaining([personStream(olga.id), ...there]),
    );
  });
});
