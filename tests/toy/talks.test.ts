// Events that go to the streams of several people: live, on replay, and beside a change of who they are.
import { expect, spyOn, test } from "bun:test";
import { onEachEngine } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";
import { type Loose, send } from "../house/people/people.ts";
import { talk, talkers, talkFeatures } from "./talks.ts";

onEachEngine(
  "a talk outside of servers",
  (house) => {
    const as = (
      name: string,
      method: string,
      path: string,
      body?: unknown,
      host: { url: string } = house(),
    ) => send<Loose & { id: string }>(host, `key-${name}`, method, `/talks/${talk}${path}`, body);
    const say = (name: string, text: string) => as(name, "POST", "/lines", { text });
    const earOf = (name: string, resume?: Ear["resumePoint"]) => Ear.open(house().url, `key-${name}`, resume);
    const saidIn = ({ frames }: Ear) =>
      frames.flatMap(({ type, data }) => (type === "LINE_SAY" ? [String(data.text)] : []));

    test("each line is in everybody's own stream, by a number of its own, and is sent again after a tunnel", async () => {
      const ears = await Promise.all(["ada", "ben", "cleo"].map((name) => earOf(name)));
      const { status, body } = await say("ada", "hello");
      expect(status).toBe(201);
      for (const ear of ears) {
        const heard = await ear.next("LINE_SAY");
        expect(heard).toMatchObject({ stream: "@me", seq: 1, data: body as never });
        expect(heard).not.toHaveProperty("server_id");
      }

      const [ada, ben, cleo] = ears as [Ear, Ear, Ear];
      const resumePoint = { ...ben.resumePoint, streams: { "@me": 1 } };
      ben.close();
      await ben.closed;
      await say("cleo", "while he is away");
      await say("ada", "and once more");
      const again = await earOf("ben", resumePoint);
      expect(again.frames.map(({ type }) => type)).toEqual(["LINE_SAY", "LINE_SAY", "RESUMED"]);
      expect(again.frames[1]).toMatchObject({ stream: "@me", seq: 3 });

      // From all of them at once, over all processes: everybody hears the same order.
      const names = Array.from({ length: 30 }, (_, i) => ["ada", "ben", "cleo"][i % 3] ?? "");
      await Promise.all(names.map((name, i) => say(name, `at once ${i}`)));
      await house().heard();
      for (const ear of [ada, again, cleo]) await ear.settle();
      const [first, second, third] = [ada, again, cleo].map((ear) => saidIn(ear).slice(-30));
      expect(first).toHaveLength(30);
      expect(new Set(first).size).toBe(30);
      expect([second, third]).toEqual([first, first]);
      for (const ear of [ada, again, cleo]) ear.close();
    });

    test("live frames go to all of them but to the one who acts", async () => {
      const [ada, ben] = [await earOf("ada"), await earOf("ben")];
      expect((await as("ada", "POST", "/typing")).status).toBe(204);
      expect((await ben.next("LINE_TYPE")).data).toMatchObject({ user_id: String(talkers.ada) });
      await house().heard();
      await ada.settle();
      expect(ada.heard("LINE_TYPE")).toEqual([]);
      for (const ear of [ada, ben]) ear.close();
    });

    test("a person who is put out hears that as the last, and says nothing more, on no process", async () => {
      const [ada, ben] = [await earOf("ada"), await earOf("ben")];
      // Each process knows who is in it.
      for (let i = 0; i < 3; i++) expect((await say("ben", `before ${i}`)).status).toBe(201);
      expect((await as("ada", "DELETE", `/people/${talkers.ben}`)).status).toBe(204);
      expect((await ben.next("TALK_LEAVE")).data).toMatchObject({ user_id: String(talkers.ben) });
      for (let i = 0; i < 3; i++) expect((await say("ben", "after")).status).toBe(404);
      expect((await say("cleo", "without him")).status).toBe(201);
      await ada.until(({ data }) => String(data.text) === "without him");
      await house().heard();
      await ben.settle();
      expect(ben.frames.findLast(({ type }) => type !== "PONG")?.type).toBe("TALK_LEAVE");
      expect([...saidIn(ada), ...saidIn(ben)]).not.toContain("after");
      for (const ear of [ada, ben]) ear.close();
    });

    test("a line that was checked before somebody came in, and is committed after it, reaches them", async () => {
      const { running } = house();
      const { database } = running.house;
      const eve = await earOf("eve");
      expect((await as("ada", "POST", "/lines", { text: "among us" }, running)).status).toBe(201);
      const transaction = database.transaction.bind(database);
      using _ = spyOn(database, "transaction").mockImplementationOnce(async (work, tries) => {
        expect((await as("cleo", "PUT", `/people/${talkers.eve}`)).status).toBe(204);
        return transaction(work, tries);
      });
      expect((await as("ada", "POST", "/lines", { text: "welcome" }, running)).status).toBe(201);
      expect((await eve.next("TALK_JOIN")).data).toMatchObject({ user_id: String(talkers.eve) });
      expect((await eve.next("LINE_SAY")).data).toMatchObject({ text: "welcome" });
      // Each process knows of her.
      for (let i = 0; i < 3; i++) expect((await say("eve", `hello ${i}`)).status).toBe(201);
      eve.close();
    });

    test("while somebody goes and comes again and again, each line of the others is said, and heard by them in one order", async () => {
      const [ada, dan] = [await earOf("ada"), await earOf("dan")];
      const moving = (async () => {
        for (let i = 0; i < 10; i++) {
          expect((await as("cleo", "DELETE", `/people/${talkers.eve}`)).status).toBe(204);
          expect((await as("cleo", "PUT", `/people/${talkers.eve}`)).status).toBe(204);
        }
      })();
      const texts = Array.from({ length: 60 }, (_, i) => `amid it ${i}`);
      const answers = await Promise.all(texts.map((text, i) => say(i % 2 ? "ada" : "dan", text)));
      await moving;
      expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 201));
      await house().heard();
      for (const ear of [ada, dan]) await ear.settle();
      expect(saidIn(ada).toSorted()).toEqual(texts.toSorted());
      expect(saidIn(dan)).toEqual(saidIn(ada));
      for (const ear of [ada, dan]) ear.close();
    });

    test("a line that was checked before its author was put out, and is committed after it, is refused", async () => {
      const { running } = house();
      const { database } = running.house;
      const ada = await earOf("ada");
      expect((await as("cleo", "POST", "/lines", { text: "in time" }, running)).status).toBe(201);
      const transaction = database.transaction.bind(database);
      using _ = spyOn(database, "transaction").mockImplementationOnce(async (work, tries) => {
        // The line waits for its commit.
        expect((await as("ada", "DELETE", `/people/${talkers.cleo}`)).status).toBe(204);
        return transaction(work, tries);
      });
      expect((await as("cleo", "POST", "/lines", { text: "too late" }, running)).status).toBe(404);
      expect((await say("ada", "alone")).status).toBe(201);
      await ada.until(({ data }) => String(data.text) === "alone");
      expect(saidIn(ada)).toEqual(["in time", "alone"]);
      const lines = await database.read.selectFrom("toy_lines").select("text").execute();
      expect(lines.map(({ text }) => text)).not.toContain("too late");
      ada.close();
    });
  },
  {},
  talkFeatures,
);
