// The server core with features other than chat: it starts, signs people in, sends events, and resends missed ones.
import { expect, test } from "bun:test";
import { onEachEngine } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";
import { type Loose, send } from "../house/people/people.ts";
import { board, readers, toyFeatures, withoutStars } from "./notes.ts";

const notes = `/boards/${board}/notes`;

onEachEngine(
  "a house of notes and stars",
  (house) => {
    const as = (name: string, method: string, path: string, body?: unknown) =>
      send<Loose & { id: string }>(house(), `key-${name}`, method, path, body);

    test("Ben finds what Ada wrote in his READY, hears the next note, and after a tunnel the one that he missed", async () => {
      const first = await as("ada", "POST", notes, { text: "milk" });
      expect(first).toMatchObject({ status: 201, body: { text: "milk", stars: 0 } });

      const ear = await Ear.open(house().url, "key-ben");
      const { user, servers } = ear.ready as unknown as { user: object; servers: object[] };
      expect(user).toEqual({ id: readers.ben });
      expect(servers).toEqual([{ id: board, notes: [first.body], seq: 1 }]);

      const second = await as("ada", "POST", notes, { text: "** tea" });
      const heard = await ear.next("NOTE_WRITE");
      expect(heard).toMatchObject({ server_id: board, seq: 2, data: second.body as never });
      const { resumePoint } = ear;
      ear.close();
      await ear.closed;

      const missed = await as("ada", "POST", notes, { text: "bread" });
      const again = await Ear.open(house().url, "key-ben", resumePoint);
      expect(again.frames.map(({ type }) => type)).toEqual(["NOTE_WRITE", "RESUMED"]);
      expect(again.frames[0]).toMatchObject({ seq: 3, data: missed.body as never });
      again.close();
    });

    test("an earlier feature shows what a later one answers, without knowing it", async () => {
      const { body } = await as("ada", "POST", notes, { text: "*** cake" });
      expect(body as unknown).toMatchObject({ text: "*** cake", stars: 3 });
    });

    test("who has no key, or one for nothing here, gets nothing; nor who writes what is no note", async () => {
      expect((await send(house(), "hs_nobody", "GET", notes)).status).toBe(401);
      expect((await as("carol", "GET", notes)).status).toBe(404);
      const refused = await as("ada", "POST", notes, { text: 7 });
      expect(refused).toMatchObject({ status: 400, body: { code: "invalid_request" } });
      const ear = await Ear.connect(house().url);
      ear.say("AUTH", { token: "hs_nobody" });
      expect((await ear.closed).code).toBe(4001);
      const empty = await Ear.open(house().url, "key-carol");
      expect(empty.ready.servers as unknown).toEqual([]);
      empty.close();
    });

    test("the description tells of boards and notes, and of no chat", async () => {
      const description = await fetch(`${house().url}/docs/swagger.json`);
      const { paths } = (await description.json()) as { paths: object };
      expect(Object.keys(paths)).toEqual(["/boards/{boardID}/notes"]);
      const page = await (await fetch(`${house().url}/docs/gateway`)).text();
      expect(page).toContain("NOTE_WRITE");
      const entry = [...page.matchAll(/<code>servers\[\]\.(\w+)<\/code>/g)].map(([, field]) => field);
      expect(entry).toEqual(["id", "notes", "seq"]);
      expect(page).not.toMatch(/CHANNEL_|MESSAGE_|<code>(channels|roles|voice|presences)<\/code>/);
      expect((await fetch(`${house().url}/readyz`)).status).toBe(200);
    });

    test("without the later feature nobody answers, and the rest goes on with the same data", async () => {
      await as("ada", "POST", notes, { text: "* salt" });
      house().features = withoutStars;
      await house().restart();
      const kept = (await as("ada", "GET", notes)).body as unknown as { text: string; stars: number }[];
      expect(kept.at(-1)).toMatchObject({ text: "* salt", stars: 0 });
      house().features = toyFeatures;
      await house().restart();
      const again = (await as("ada", "GET", notes)).body as unknown as { stars: number }[];
      expect(again.at(-1)).toMatchObject({ stars: 1 });
    });
  },
  {},
  toyFeatures,
);
