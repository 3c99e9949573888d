// Every operation on a channel or message, in a conversation: for the people in it, and for all who are not.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Conversation } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { onEachEngine } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import type { Answer, TestCaller, TestPerson } from "../house/people/people.ts";
import { routes } from "../routes/walk.ts";
import { verdict } from "./verdict.ts";

/** A group that Ada owns, with a message of hers; somebody who left it, and others who never were in it. */
interface Scene {
  ada: TestPerson;
  ben: TestPerson;
  /** Was in the group, and is in the server still. */
  former: TestPerson;
  group: Conversation;
  message: Message;
  outsiders: Record<string, TestCaller>;
}

type Call = (by: TestCaller, scene: Scene) => Promise<Answer<unknown>>;
const onGroup =
  (method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Call =>
  (by, { group, message, ben }) =>
    by.call(
      method,
      path
        .replace("CHANNEL", `/channels/${group.id}`)
        .replace("MESSAGE", `/messages/${message.id}`)
        .replace("BEN", ben.id),
      body,
    );

/** By route: a call, and the answer to somebody who is in the group and wrote nothing there. */
const calls: Record<string, [call: Call, expected: string]> = {
  "GET /channels/{id}": [onGroup("GET", "CHANNEL"), "200"],
  "PATCH /channels/{id}": [onGroup("PATCH", "CHANNEL", { name: "Tea" }), "200"],
  "DELETE /channels/{id}": [onGroup("DELETE", "CHANNEL"), "403 forbidden"],
  "GET /channels/{id}/overrides": [onGroup("GET", "CHANNEL/overrides"), "200"],
  "PUT /channels/{id}/overrides/{roleOrUserID}": [
    onGroup("PUT", "CHANNEL/overrides/BEN", { kind: "member", deny: 1 }),
    "403 forbidden",
  ],
  "DELETE /channels/{id}/overrides/{roleOrUserID}": [
    onGroup("DELETE", "CHANNEL/overrides/BEN"),
    "403 forbidden",
  ],
  "GET /channels/{id}/permissions/{userID}": [onGroup("GET", "CHANNEL/permissions/BEN"), "403 forbidden"],
  "POST /channels/{id}/typing": [onGroup("POST", "CHANNEL/typing"), "204"],
  "PUT /channels/{channelID}/read": [onGroup("PUT", "CHANNEL/read", { message_id: null }), "204"],
  "PUT /channels/{channelID}/notification-settings": [
    onGroup("PUT", "CHANNEL/notification-settings", { level: "none" }),
    "204",
  ],
  "GET /channels/{channelID}/messages": [onGroup("GET", "CHANNEL/messages"), "200"],
  "POST /channels/{channelID}/messages": [onGroup("POST", "CHANNEL/messages", { content: "Tea?" }), "201"],
  "POST /channels/{channelID}/messages/bulk-delete": [
    onGroup("POST", "CHANNEL/messages/bulk-delete", {
      message_ids: ["01890000-0000-7000-8000-000000000000"],
    }),
    "403 forbidden",
  ],
  "POST /channels/{channelID}/webhooks": [
    onGroup("POST", "CHANNEL/webhooks", { name: "w" }),
    "403 forbidden",
  ],
  "GET /channels/{channelID}/webhooks": [onGroup("GET", "CHANNEL/webhooks"), "403 forbidden"],
  "GET /messages/{messageID}": [onGroup("GET", "MESSAGE"), "200"],
  "PATCH /messages/{messageID}": [onGroup("PATCH", "MESSAGE", { content: "Coffee" }), "403 author_only"],
  "DELETE /messages/{messageID}": [onGroup("DELETE", "MESSAGE"), "403 author_only"],
  "POST /messages/{messageID}/reactions": [onGroup("POST", "MESSAGE/reactions", { emoji: "☕" }), "204"],
  "GET /messages/{messageID}/reactions": [onGroup("GET", "MESSAGE/reactions"), "200"],
  "DELETE /messages/{messageID}/reactions/{emoji}": [
    onGroup("DELETE", `MESSAGE/reactions/${encodeURIComponent("☕")}`),
    "204",
  ],
  "PUT /channels/{id}/recipients/{userID}": [onGroup("PUT", "CHANNEL/recipients/BEN"), "204"],
  "DELETE /channels/{id}/recipients/{userID}": [onGroup("DELETE", "CHANNEL/recipients/BEN"), "204"],
  "POST /channels/{id}/call": [onGroup("POST", "CHANNEL/call"), "204"],
  "DELETE /channels/{id}/call": [onGroup("DELETE", "CHANNEL/call"), "204"],
  "DELETE /direct/{id}": [(by, { group }) => by.call("DELETE", `/direct/${group.id}`), "204"],
};

test("every operation on channels and messages is among them", () => {
  const paths = routes
    .map(({ operation: { method, path } }) => `${method} ${path}`)
    .filter((route) => /^\w+ \/(channels\/\{|messages\/\{|direct\/\{)/.test(route));
  expect(Object.keys(calls).sort()).toEqual(paths.sort());
});

const media = new LiveKitDouble();
afterAll(() => media.stop());

onEachEngine(
  "in a conversation",
  (house) => {
    let scene: Scene;

    beforeAll(async () => {
      // The first account owns the instance.
      const keeper = await house().person("keeper");
      const [ada, ben, former, member, stranger] = (await Promise.all(
        ["ada", "ben", "former", "member", "stranger"].map((name) => house().person(name)),
      )) as [TestPerson, TestPerson, TestPerson, TestPerson, TestPerson];
      const server = await ada.makeServer();
      await ada.bringIn(server.id, ben, former, member);
      const bot = await TestBot.make(ada);
      await bot.enter(server.id);
      const user_ids = [ben.id, former.id];
      const group = (await ada.post<Conversation>("/direct", { user_ids })).body;
      const message = await ada.say(group.id, "Tea");
      await former.say(group.id, "Not for me.");
      await former.delete(`/channels/${group.id}/recipients/${former.id}`);
      scene = { ada, ben, former, group, message, outsiders: { former, member, stranger, keeper, bot } };
    });

    for (const [route, [call, expected]] of Object.entries(calls))
      test(`${route}: ${expected} for those who are in it, 404 for everybody else`, async () => {
        const found: Record<string, string> = {};
        const peopleOnly = routes.some(
          ({ operation: { method, path, caller } }) => `${method} ${path}` === route && caller === "person",
        );
        for (const [name, outsider] of Object.entries(scene.outsiders))
          found[name] = verdict(await call(outsider, scene));
        const gone = Object.keys(scene.outsiders).map((name) => [
          name,
          name === "bot" && peopleOnly ? "403 forbidden" : "404 not_found",
        ]);
        expect(found).toEqual(Object.fromEntries(gone));
        const by = route.includes("recipients") && route.startsWith("DELETE") ? scene.ada : scene.ben;
        if (route.startsWith("DELETE /messages/{messageID}/"))
          await calls["POST /messages/{messageID}/reactions"]?.[0](by, scene);
        expect(verdict(await call(by, scene))).toBe(expected);
        // They come back, for the calls that follow.
        if (route.startsWith("DELETE /channels/{id}/recipients"))
          await scene.ada.put(`/channels/${scene.group.id}/recipients/${scene.ben.id}`);
      });
  },
  media.settings,
);
