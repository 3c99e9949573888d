// Channels that overrides hide: no byte of what happens there reaches anybody else, on any way that leaves the server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Channel } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import type { Browser } from "../doubles/web-push.ts";
import { onEachEngine } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import type { Ear, ResumePoint } from "../house/people/ear.ts";
import { send, type TestPerson } from "../house/people/people.ts";
import { upload } from "../house/scenes/files.ts";
import { enter } from "../house/scenes/parlour.ts";
import { allPushed, browserOf, withPushService } from "../house/scenes/pushes.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());

/** Unlike any other text; by them a test finds out what was told. */
const words = {
  name: "heron-in-the-vault",
  topic: "The heron nests at noon.",
  said: "The heron said the first word.",
  corrected: "The heron took the word back.",
  webhook: "heron-webhook",
  posted: "The heron's webhook posted.",
  file: "heron-feathers.txt",
  room: "heron-room",
};

withPushService(
  "a hidden channel",
  (house, service) => {
    let owner: TestPerson;
    let insider: TestPerson;
    let server: Awaited<ReturnType<TestPerson["makeServer"]>>;
    /** A member whom overrides keep out, who wants every push, with a role of the server. */
    let keptOut: TestPerson;
    /** The people and the bot that may learn nothing, by kind. */
    let outsiders: Record<string, TestPerson | TestBot>;
    let browser: Browser;
    /** By outsider, all that was sent to them. */
    const received: Record<string, string> = {};
    const ears = new Map<string, Ear>();
    const secrets: Record<string, string> = { ...words };

    beforeAll(async () => {
      media.webhookUrl = `${house().url}/api/v1/voice/webhook`;
      // The first account owns the instance.
      const keeper = await house().person("keeper");
      owner = await house().person("owner");
      insider = await house().person("insider");
      keptOut = await house().person("outsider");
      const stranger = await house().person("stranger");
      server = await owner.makeServer();
      await owner.bringIn(server.id, insider, keptOut);
      const bot = await TestBot.make(owner);
      await bot.enter(server.id);
      outsiders = { keptOut, stranger, keeper, bot };
      browser = await browserOf(keptOut, service());
      await keptOut.put("/auth/me/push-settings", { when: "always" });
      await keptOut.put(`/servers/${server.id}/notification-settings`, { level: "all" });
      for (const [name, person] of Object.entries(outsiders)) ears.set(name, await person.listen());
      await liveInside();
      await readEverything();
      await comeBack();
    });
    afterAll(() => {
      for (const ear of ears.values()) ear.close();
    });

    /** Everything that can happen in a hidden channel happens. */
    async function liveInside(): Promise<void> {
      const role = await owner.giveRole(server.id, keptOut, 0);
      const overrides = [
        { id: server.everyone.id, kind: "role", deny: permission.VIEW_CHANNEL },
        { id: insider.id, kind: "member", allow: permission.VIEW_CHANNEL },
      ];
      const make = async (more: Record<string, unknown>) =>
        (await owner.post<Channel>("/channels", { server_id: server.id, overrides, ...more })).body;
      const vault = await make({ name: words.name, topic: words.topic });
      const room = await make({ name: words.room, type: "voice" });
      Object.assign(secrets, { vault: vault.id, roomId: room.id });
      const call = `@${keptOut.username} <@&${role.id}> @everyone`;
      const { id } = await owner.say(vault.id, `${words.said} ${call}`);
      secrets.message = id;
      await owner.patch(`/messages/${id}`, { content: `${words.corrected} ${call}` });
      await insider.post(`/messages/${id}/reactions`, { emoji: "🪶" });
      secrets.reaction = "🪶";
      await insider.post(`/channels/${vault.id}/typing`);
      const attachment = await upload(insider, words.file, "Feathers.");
      await insider.say(vault.id, "", { attachments: [attachment.url] });
      const hook = { name: words.webhook };
      const webhook = (
        await owner.post<{ id: string; token: string }>(`/channels/${vault.id}/webhooks`, hook)
      ).body;
      secrets.webhookId = webhook.id;
      await send(house(), undefined, "POST", `/webhooks/${webhook.id}/${webhook.token}`, {
        content: words.posted,
      });
      const plan = { title: "A plan", starts_at: "2130-01-31T18:00:00.000Z", channel_id: vault.id };
      await owner.post(`/servers/${server.id}/events`, plan);
      await enter(media, insider, room.id);
      await media.microphone(room.id, insider.id, "on");
      await owner.patch(`/channels/${vault.id}`, { position: 7 });
      await hideWhatWasSeen();
      await allPushed(house());
      for (const ear of ears.values()) await ear.settle();
    }

    /** A channel that all saw is hidden; what was said before is no secret, what comes then is one. */
    async function hideWhatWasSeen(): Promise<void> {
      const path = `/channels/${server.general.id}/overrides`;
      await owner.say(server.general.id, "Everybody hears this.");
      await allPushed(house());
      await owner.put(`${path}/${insider.id}`, { kind: "member", allow: permission.VIEW_CHANNEL });
      await owner.put(`${path}/${server.everyone.id}`, { kind: "role", deny: permission.VIEW_CHANNEL });
      secrets.hiddenSince = "The heron came home at last.";
      await owner.say(server.general.id, `${secrets.hiddenSince} @everyone`);
    }

    /** Each outsider asks for everything that can be asked for. */
    async function readEverything(): Promise<void> {
      const { paths } = (await (await fetch(`${house().url}/docs/swagger.json`)).json()) as {
        paths: Record<string, Record<string, unknown>>;
      };
      const { vault = "", message = "", roomId = "", webhookId = "" } = secrets;
      const ids = [vault, message, roomId, webhookId, server.id, server.general.id, insider.id, "@me"];
      for (const [name, { token }] of Object.entries(outsiders)) {
        const scheme = name === "bot" ? "Bot" : "Bearer";
        for (const path of Object.keys(paths).filter((each) => paths[each]?.get)) {
          for (const id of path.includes("{") ? ids : [""]) {
            const address = path.replace(/\{userID\}/, keptOut.id).replace(/\{\w+\}/g, id);
            const url = `${house().url}/api/v1${address}?server_id=${server.id}&q=heron`;
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
        const since: ResumePoint = { ...first.resumePoint };
        const again = [
          await person.listen(startOf(first)),
          await person.listen(since),
          await person.listen(),
        ];
        for (const ear of again) await ear.settle();
        received[name] += JSON.stringify([first, ...again].map(({ frames }) => frames));
        for (const ear of again) ear.close();
      }
      received.keptOut += JSON.stringify(service().notices(browser));
      received.stranger += await (await fetch(`${house().url}/metrics`)).text();
    }

    /** The point at which a socket signed in. */
    function startOf(ear: Ear): ResumePoint {
      const { epoch, servers } = ear.ready as unknown as {
        epoch: string;
        servers: { id: string; seq: number }[];
      };
      return { epoch, streams: Object.fromEntries(servers.map(({ id, seq }) => [id, seq])) };
    }

    test("is full of things that its people see", async () => {
      const messages = (await insider.get<Message[]>(`/channels/${secrets.vault}/messages`)).body;
      const seen = JSON.stringify([messages, (await insider.listen()).frames]);
      const shown = ["name", "topic", "corrected", "posted", "file", "room", "vault", "roomId", "reaction"];
      expect(shown.filter((kind) => !seen.includes(secrets[kind] ?? ""))).toEqual([]);
    });

    test("shows no byte of itself to a member who is kept out, a stranger, the instance's owner or a bot", () => {
      for (const name of Object.keys(outsiders)) {
        const told = received[name] ?? "";
        expect(told.length, name).toBeGreaterThan(1000);
        const leaked = Object.keys(secrets).filter((kind) => told.includes(secrets[kind] ?? ""));
        // The general channel is told to be gone, by its id, which its members knew.
        expect([name, leaked]).toEqual([name, []]);
      }
    });

    test("pushed what was said before it was hidden, and nothing else", () => {
      expect(JSON.stringify(service().notices(browser))).toContain("Everybody hears this.");
    });
  },
  (title, tests) => onEachEngine(title, tests, media.settings),
);
