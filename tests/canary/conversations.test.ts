// Conversations: no byte of them reaches anybody who is not in them, on any way that leaves the server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Conversation } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import type { Browser } from "../doubles/web-push.ts";
import { TestBot } from "../house/people/bots.ts";
import type { Ear, ResumePoint } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";
import { upload } from "../house/scenes/files.ts";
import { allPushed, browserOf, withPushService } from "../house/scenes/pushes.ts";

/** Unlike any other text; by them a test finds out what was told. */
const words = {
  name: "wren-in-the-hedge",
  first: "The wren said the first word.",
  said: "The wren said something else.",
  corrected: "The wren took the word back.",
  between: "The wren spoke to one alone.",
  file: "wren-feathers.txt",
  reaction: "🪺",
};

withPushService("a conversation", (house, service) => {
  let ada: TestPerson;
  let ben: TestPerson;
  /** Was in the group at first, and left it. */
  let former: TestPerson;
  let server: Awaited<ReturnType<TestPerson["makeServer"]>>;
  /** The people and the bot that may learn nothing, by kind. */
  let outsiders: Record<string, TestPerson | TestBot>;
  let browser: Browser;
  /** By outsider, all that was sent to them. */
  const received: Record<string, string> = {};
  const ears = new Map<string, Ear>();
  const secrets: Record<string, string> = { ...words };

  beforeAll(async () => {
    // The first account owns the instance.
    const keeper = await house().person("keeper");
    [ada, ben, former] = (await Promise.all(
      ["ada", "ben", "former"].map((name) => house().person(name)),
    )) as [TestPerson, TestPerson, TestPerson];
    const [member, stranger] = [await house().person("member"), await house().person("stranger")];
    server = await ada.makeServer();
    await ada.bringIn(server.id, ben, former, member);
    const bot = await TestBot.make(ada);
    await bot.enter(server.id);
    outsiders = { former, member, stranger, keeper, bot };
    browser = await browserOf(former, service());
    await former.put("/auth/me/push-settings", { when: "always" });
    const group = await begun();
    for (const [name, person] of Object.entries(outsiders)) ears.set(name, await person.listen());
    await liveInside(group);
    await readEverything();
    await comeBack();
  });
  afterAll(() => {
    for (const ear of ears.values()) ear.close();
  });

  /** A group that one of the outsiders has left; what was said in it before is theirs to know. */
  async function begun(): Promise<Conversation> {
    const user_ids = [ben.id, former.id];
    const group = (await ada.post<Conversation>("/direct", { user_ids })).body;
    await ada.say(group.id, "Before anybody left.");
    await allPushed(house());
    await former.delete(`/channels/${group.id}/recipients/${former.id}`);
    return group;
  }

  /** Everything that can happen in conversations happens. */
  async function liveInside({ id: groupId }: Conversation): Promise<void> {
    const pair = (await ada.post<Conversation>("/direct", { user_ids: [ben.id] })).body;
    await ada.patch(`/channels/${groupId}`, { name: words.name });
    await ada.say(groupId, words.first);
    const call = `@${former.username} @everyone`;
    const { id } = await ada.say(groupId, `${words.said} ${call}`);
    await ada.patch(`/messages/${id}`, { content: `${words.corrected} ${call}` });
    await ben.post(`/messages/${id}/reactions`, { emoji: words.reaction });
    await ben.post(`/channels/${groupId}/typing`);
    const attachment = await upload(ben, words.file, "Feathers.");
    await ben.say(groupId, "", { attachments: [attachment.url] });
    const { id: between } = await ada.say(pair.id, words.between);
    await ben.put(`/channels/${pair.id}/read`, { message_id: between });
    await ben.delete(`/direct/${pair.id}`);
    await ada.say(pair.id, `${words.between} And again.`);
    Object.assign(secrets, { pair: pair.id, message: id, betweenId: between, group: groupId });
    await allPushed(house());
    for (const ear of ears.values()) await ear.settle();
  }

  /** Each outsider asks for everything that can be asked for. */
  async function readEverything(): Promise<void> {
    const { paths } = (await (await fetch(`${house().url}/docs/swagger.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const { group = "", pair = "", message = "", betweenId = "" } = secrets;
    const ids = [group, pair, message, betweenId, server.id, ada.id, "@me"];
    for (const [name, { token }] of Object.entries(outsiders)) {
      const scheme = name === "bot" ? "Bot" : "Bearer";
      for (const path of Object.keys(paths).filter((each) => paths[each]?.get)) {
        for (const id of path.includes("{") ? ids : [""]) {
          const address = path.replace(/\{userID\}/, ada.id).replace(/\{\w+\}/g, id);
          const url = `${house().url}/api/v1${address}?server_id=${server.id}&q=wren`;
          const answer = await fetch(url, { headers: { Authorization: `${scheme} ${token}` } });
          received[name] =
            (received[name] ?? "") + JSON.stringify([...answer.headers]) + (await answer.text());
        }
      }
    }
  }

  /** Each outsider comes back, from where they were and anew. */
  async function comeBack(): Promise<void> {
    for (const [name, person] of Object.entries(outsiders)) {
      const first = ears.get(name) as Ear;
      const { streams, ...point } = first.resumePoint;
      const since: ResumePoint = { ...point, streams: { ...streams, "@me": 0 } };
      const again = [await person.listen(since), await person.listen()];
      for (const ear of again) await ear.settle();
      received[name] += JSON.stringify([first, ...again].map(({ frames }) => frames));
      for (const ear of again) ear.close();
    }
    received.former += JSON.stringify(service().notices(browser));
    received.stranger += await (await fetch(`${house().url}/metrics`)).text();
  }

  test("is full of things that its people see", async () => {
    const { group, pair } = secrets;
    const messages = [
      (await ben.get<Message[]>(`/channels/${group}/messages`)).body,
      (await ben.get<Message[]>(`/channels/${pair}/messages`)).body,
    ];
    const seen = JSON.stringify([messages, (await ben.listen()).frames]);
    const shown = ["name", "first", "corrected", "between", "file", "reaction", "pair", "group"];
    expect(shown.filter((kind) => !seen.includes(secrets[kind] ?? ""))).toEqual([]);
  });

  test("shows no byte of itself to who left it, a member of the same server, a stranger, the instance's owner, a bot", () => {
    for (const name of Object.keys(outsiders)) {
      const told = received[name] ?? "";
      expect(told.length, name).toBeGreaterThan(1000);
      // Its id is known to who was in it: the event that it is gone names it.
      const kinds = Object.keys(secrets).filter((kind) => !(name === "former" && kind === "group"));
      expect([name, kinds.filter((kind) => told.includes(secrets[kind] ?? ""))]).toEqual([name, []]);
    }
  });

  test("pushed what was said to who was in it, and nothing after", () => {
    const pushed = JSON.stringify(service().notices(browser));
    expect(pushed).toContain("Before anybody left.");
    expect(pushed).not.toContain("wren");
  });
});
