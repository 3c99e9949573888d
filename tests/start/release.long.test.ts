// An upgrade of the folder and the database of the previous release: all data is kept, and people go on as before.
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { createPrivateKey } from "node:crypto";
import type { Conversation } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { push } from "../../features/push/handlers.ts";
import { migrationState } from "../../server/database/migrate.ts";
import { features } from "../../server/features.ts";
import { pruneLog } from "../../server/house/log-table.ts";
import { allMigrations } from "../../server/open.ts";
import { serverStream } from "../../server/place.ts";
import { PushService } from "../doubles/web-push.ts";
import { until } from "../house/machine/waiting.ts";
import { type Engine, makeHouse, type TestHouse } from "../house/open/engines.ts";
import { TestBrowser } from "../house/people/browser.ts";
import { send, TestPerson } from "../house/people/people.ts";
import { hour } from "../house/scenes/plans.ts";
import { readState } from "../house/scenes/read-states.ts";
import { sweep } from "../house/scenes/swept.ts";
import {
  type Acquaintance,
  answersTo,
  callersAt,
  differences,
  pathsTo,
  publicUrl,
  readKnown,
  type Who,
} from "./release/known.ts";
import { post } from "./release/scene.ts";
import { unpack } from "./release/unpack.ts";

const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];

for (const engine of engines) {
  const { known, answers } = readKnown(engine);
  const { ids } = known;
  const madeAt = Date.parse(known.madeAt);

  describe(`after release ${known.release} on ${engine}`, () => {
    let house: TestHouse;
    let callers: Record<Who, Acquaintance>;

    beforeAll(async () => {
      // Sessions expire and events are over some weeks later, so people return right after the release's end.
      setSystemTime(madeAt + 1000);
      house = await makeHouse(engine, { PUBLIC_URL: publicUrl });
      await unpack(house);
      await house.open();
      await house.quiet();
      callers = callersAt(house, known.authorizations);
    });
    afterAll(async () => {
      setSystemTime();
      await house?.end();
    });

    const read = () => house.running.house.database.read;
    const messagesIn = (channelId: string) =>
      read().selectFrom("messages").select("id").where("channel_id", "=", channelId).execute();

    test("everybody's token still counts, and each reads what they read before, or is refused as before", async () => {
      for (const [who, then] of Object.entries(answers) as [Who, Record<string, unknown>][]) {
        expect(Object.keys(then)).toEqual(["READY", ...pathsTo(known)]);
        expect([who, differences(then, await answersTo(callers[who], pathsTo(known)))]).toEqual([who, []]);
      }
    });

    test("nobody has a stream of their own yet, and the first change of Cleo's is number 1 of hers", async () => {
      const ear = await callers.cleo.listen();
      expect(ear.ready.personal as unknown).toEqual({ seq: 0 });
      await callers.cleo.put("/auth/me/presence", { status: "online" });
      await callers.cleo.patch("/auth/me", { bio: "I bake." });
      expect(await ear.next("ME_UPDATE")).toMatchObject({ stream: "@me", seq: 1 });
      ear.close();
    });

    test("Cleo and the bot, cut off before, hear what they missed to the byte, and then what comes", async () => {
      const ears = {
        cleo: await callers.cleo.listen(known.points.cleo),
        bot: await callers.bot.listen(known.points.bot),
      };
      for (const who of ["cleo", "bot"] as const) {
        expect(ears[who].numbered).toEqual(known.missed[who]);
        const replayed = Object.values(known.missed[who]).flat().length;
        expect(ears[who].heard("RESUMED").map(({ data }): unknown => data)).toEqual([{ replayed }]);
        expect(ears[who].heard("READY")).toEqual([]);
      }
      const { id } = await callers.ada.say(ids.general, "Welcome back.");
      for (const ear of Object.values(ears)) {
        expect((await ear.next("MESSAGE_CREATE")).data.id as unknown).toBe(id);
        ear.close();
      }
    });

    test("Ben, of whose servers one is gone, and whoever names another log, get a fresh READY", async () => {
      const { epoch } = known.points.ben;
      const another = "01890000-0000-7000-8000-000000000000";
      for (const [who, followed] of [
        ["ben", epoch],
        ["cleo", another],
        ["bot", another],
      ] as const) {
        const ear = await callers[who].listen({ ...known.points[who], epoch: followed });
        await ear.settle();
        expect([ear.frames[0]?.type, ear.ready.epoch as unknown]).toEqual(["READY", epoch]);
        expect([ear.numbered, ear.heard("RESUMED")]).toEqual([{}, []]);
        ear.close();
      }
    });

    test("everybody has read what there was, and what mentions them there counts once they mark it unread", async () => {
      const { cleo } = callers;
      const said = (await cleo.get<Message[]>(`/channels/${ids.general}/messages?limit=100`)).body;
      const before = await readState(cleo, ids.general);
      const [last] = said.filter(({ created_at }) => Date.parse(created_at) <= madeAt);
      expect(String(before?.last_read_id) >= String(last?.id)).toBe(true);
      expect(before?.mention_count).toBe(0);
      const cleoId = known.people.cleo.id;
      const calling = said.filter(
        ({ author, mentions }) =>
          author.id !== cleoId && (mentions.everyone || mentions.user_ids.includes(cleoId)),
      );
      expect(calling.length).toBeGreaterThan(0);
      await cleo.put(`/channels/${ids.general}/read`, { message_id: null });
      const after = await readState(cleo, ids.general);
      expect(after?.last_read_id).toBeNull();
      expect(after?.mention_count).toBe(calling.length);
    });

    test("Cleo and Ada, who share a server, begin a conversation, which nobody else of it can read", async () => {
      const { ada, ben, cleo, bot } = callers;
      const ear = await ada.listen();
      const begun = await cleo.post<Conversation>("/direct", { user_ids: [known.people.ada.id] });
      expect(begun.status).toBe(201);
      const { id } = begun.body;
      await cleo.say(id, "Do you still have the seeds?");
      expect((await ear.next("CHANNEL_CREATE")).data).toMatchObject({ id, type: "direct" });
      const said = await ear.next("MESSAGE_CREATE");
      expect([said.stream, said.data.content as unknown]).toEqual(["@me", "Do you still have the seeds?"]);
      expect((await ada.get<Conversation[]>("/direct")).body.map((each) => each.id)).toEqual([id]);
      for (const other of [ben, bot]) expect((await other.get(`/channels/${id}/messages`)).status).toBe(404);
      ear.close();
    });

    test("what is posted now, by hand, by a bot or by a webhook, has ids and numbers above all there were", async () => {
      const ear = await callers.cleo.listen();
      const { seq } = (ear.ready.servers as unknown as { id: string; seq: number }[]).find(
        ({ id }) => id === ids.garden,
      ) ?? { seq: 0 };
      const posted = [
        await callers.ada.say(ids.general, "Still here?"),
        await callers.bot.say(ids.general, "Still here."),
        (await post(house, known.webhook, { content: "Sun." })).body as unknown as Message,
        await callers.ben.say(ids.general, "Where is the spade?"),
      ];
      const heard = [];
      while (heard.length < posted.length) heard.push(await ear.next("MESSAGE_CREATE"));
      expect(heard.map((frame) => frame.seq)).toEqual(posted.map((_, i) => seq + 1 + i));
      const made = posted.map(({ id }) => id);
      expect(heard.map(({ data }) => String(data.id))).toEqual(made);
      expect([...made].sort()).toEqual(made);
      const before = JSON.stringify([known, answers]).match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g) ?? [];
      expect(before.length).toBeGreaterThan(500);
      expect(before.filter((id) => id >= String(made[0]))).toEqual([]);
      ear.close();
    });

    test("everybody signs in with the password of then, and Ada with her passkey, too", async () => {
      for (const { id, email, password } of Object.values(known.people)) {
        const answer = await send(house, undefined, "POST", "/auth/login/password", { email, password });
        expect([answer.status, answer.body]).toEqual([200, { id } as never]);
      }
      const browser = new TestBrowser(house);
      const secret = createPrivateKey({ key: known.passkey.key, format: "jwk" });
      const kept = { ...known.passkey, secret, algorithm: "ES256", backupEligible: false } as const;
      browser.key.kept.push(kept);
      const answer = await browser.login({ origin: publicUrl });
      expect([answer.status, answer.body]).toEqual([200, { id: known.people.ada.id }]);
    });

    test("files are there, byte for byte", async () => {
      expect(Object.keys(known.files)).toHaveLength(2);
      for (const [path, content] of Object.entries(known.files))
        expect([path, await callers.ben.file(path)]).toEqual([path, content]);
    });

    test("a newcomer joins by an invite of then, reacts to what was said, and comes to what was planned", async () => {
      const { ada } = callers;
      const fay = await TestPerson.register(house, "fay");
      expect((await fay.post(`/invites/${known.invite}/join`)).status).toBe(200);
      expect((await fay.post(`/messages/${ids.shown}/reactions`, { emoji: "👍" })).status).toBe(204);
      const { reactions } = (await ada.get<Message>(`/messages/${ids.shown}`)).body;
      expect(reactions.find(({ emoji }) => emoji === "👍")?.count).toBe(2);
      const plans = async () => (await ada.get<Plan[]>(`/servers/${ids.garden}/events`)).body;
      const [tea] = await plans();
      expect((await fay.put(`/events/${tea?.id}/rsvp`, { status: "going" })).status).toBe(204);
      expect((await plans())[0]).toMatchObject({ id: tea?.id, going_count: (tea?.going_count ?? 0) + 1 });
    });

    test("Cleo's browser, subscribed then, is pushed what mentions her, signed with the key of then", async () => {
      const service = await PushService.open();
      service.serve(house);
      await callers.ada.say(ids.general, `<@${known.people.cleo.id}>, cake!`);
      const received = () => service.received.filter(({ path }) => path === known.pushed);
      await until(async () => {
        for (const job of push.jobs ?? []) await job.run(house.running.house);
        return received().length > 0;
      }, "nothing was pushed");
      expect(received()[0]?.vapid.key).toBe(
        (answers.cleo["/push/vapid-public-key"] as { public_key: string }).public_key,
      );
      service.close();
    });

    test("what was deleted last goes on going: the messages of the channel, and a day later the log of the server", async () => {
      expect(await messagesIn(ids.compost)).toHaveLength(30);
      await sweep(house);
      expect(await messagesIn(ids.compost)).toEqual([]);
      const stream = serverStream(ids.attic);
      const logged = () => read().selectFrom("events").select("seq").where("stream", "=", stream).execute();
      await pruneLog(house.running.house);
      expect((await logged()).length).toBeGreaterThan(3);
      setSystemTime(madeAt + 25 * hour);
      while (await pruneLog(house.running.house));
      setSystemTime(madeAt + 1000);
      expect(await logged()).toEqual([]);
      const streams = await read().selectFrom("streams").select("stream").execute();
      expect(streams.filter((row) => row.stream === stream)).toEqual([]);
      expect(streams.filter((row) => row.stream === serverStream(ids.garden))).toHaveLength(1);
    });

    test("a second start finds nothing to bring up to date, and Cleo resumes again", async () => {
      const migrated = () =>
        read()
          .selectFrom("kysely_migration" as never)
          .selectAll()
          .execute();
      const all = allMigrations(features, house.running.house.database.engine);
      const first = await migrated();
      expect(await migrationState(read(), all)).toEqual({ left: [], unknown: [] });
      expect(first).toHaveLength(Object.keys(all).length);
      setSystemTime(madeAt + hour);
      await house.restart();
      await house.quiet();
      expect(await migrated()).toEqual(first);
      const ear = await callers.cleo.listen(known.points.cleo);
      expect(ear.frames.map(({ type }) => type)).not.toContain("READY");
    });
  });
}

interface Plan {
  id: string;
  going_count: number;
}
