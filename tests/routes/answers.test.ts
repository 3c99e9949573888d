// The actual answers of the server match the declarations: every operation is called once, with success.
import { afterAll, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { makeLink } from "../../features/password-resets/access.ts";
import type { Operation } from "../../protocol/operation.ts";
import { permission } from "../../protocol/permissions.ts";
import { Browser, PushService } from "../doubles/web-push.ts";
import { outsideServices } from "../house/machine/outside.ts";
import { pictureOf } from "../house/material/images.ts";
import { onEachStore, type TestHouse } from "../house/open/engines.ts";
import { TestBrowser } from "../house/people/browser.ts";
import { type Loose, send, TestPerson } from "../house/people/people.ts";
import { formOf } from "../house/scenes/files.ts";
import { reachedBy } from "../house/scenes/pictures.ts";
import { browserOf } from "../house/scenes/pushes.ts";
import { MailBox } from "../house/servers/mail-box.ts";
import { operationNamed, routes } from "./walk.ts";

const { media, settings } = outsideServices();
const box = await MailBox.open();
afterAll(() => box.close());

interface Input {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  cookie?: string;
  headers?: Record<string, string>;
}

/** Calls operations by name, and checks each answer against the declaration and the OpenAPI description. */
class Inspector {
  readonly #house: TestHouse;
  readonly #openapi: Ajv2020;
  readonly called = new Set<string>();

  constructor(house: TestHouse, description: object) {
    this.#house = house;
    this.#openapi = new Ajv2020({ strict: false });
    addFormats(this.#openapi);
    this.#openapi.addSchema(description, "openapi");
  }

  #misfits({ path, method }: Operation, status: number, body: unknown) {
    const parts = [path, method.toLowerCase(), "responses", String(status), "content", "application/json"];
    const pointer = parts.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
    const fits = this.#openapi.compile({ $ref: `openapi#/paths/${encodeURI(pointer)}/schema` });
    fits(body);
    return fits.errors ?? [];
  }

  async call(
    who: TestPerson | undefined,
    name: string,
    { params = {}, query = {}, body, cookie, headers: more }: Input = {},
  ) {
    const operation = operationNamed(name);
    this.called.add(name);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(params[key] ?? "?"),
    );
    const search = new URLSearchParams(query).toString();
    const address = search === "" ? path : `${path}?${search}`;
    const headers: Record<string, string> = { ...more, ...(cookie && { Cookie: cookie }) };
    const answer = await send<Loose>(this.#house, who?.token, operation.method, address, body, headers);
    const declared = operation.answers[answer.status];
    if (!declared) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    for (const header of Object.keys(declared.headers ?? {})) expect(answer.headers.has(header)).toBe(true);
    if (operation.produces) expect(typeof answer.body).toBe("string");
    else if (!declared.body) expect(answer.body).toBeUndefined();
    // Equal, not merely valid: parsing drops a field that is not declared.
    else expect<unknown>(declared.body.parse(answer.body)).toEqual(answer.body);
    if (declared.body)
      expect([name, this.#misfits(operation, answer.status, answer.body)]).toEqual([name, []]);
    return answer.body;
  }
}

onEachStore("answers and declarations", anEvening, { ...settings, ...box.settings });

function anEvening(house: () => TestHouse): void {
  reachedBy(house);

  test("a whole evening of Alice and Bob, with every operation in it", async () => {
    const openapi = await (await fetch(`${house().url}/docs/openapi.json`)).json();
    const inspector = new Inspector(house(), openapi as object);
    const [alice, bob, carol] = [
      await house().person("alice"),
      await house().person("bob"),
      await house().person("carol"),
    ];
    const by = (who: TestPerson | undefined) => (name: string, input?: Input) =>
      inspector.call(who, name, input);
    const [asAlice, asBob, asNobody] = [by(alice), by(bob), by(undefined)];

    await asNobody("getInstance");
    const dave = { username: `dave_${alice.username}`, password: "correct horse battery" };
    await asNobody("register", {
      body: { ...dave, email: `${dave.username}@people.example`, display_name: "Dave" },
    });
    await asNobody("loginWithPassword", { body: { email: dave.username, password: dave.password } });

    await asAlice("updateMe", {
      body: { display_name: "Alice ☀️", bio: "Reads.", accent_color: "#33AAFF", status_text: "here" },
    });
    await asAlice("getMe");
    const face = await pictureOf("png", { width: 64, height: 64 });
    const picture = () => formOf("me.png", face);
    const { avatar } = await asAlice("setAvatar", { body: picture() });
    await asNobody("getAvatar", { params: { name: String(avatar).split("/").at(-1) ?? "" } });
    await asAlice("deleteAvatar");
    await asAlice("setPresence", { body: { status: "dnd" } });

    const home = await asAlice("createServer", {
      body: { name: "Home", icon: "https://pictures.example/home.png" },
    });
    const id = String(home.id);
    await asAlice("listServers");
    await asAlice("getServer", { params: { id } });
    await asAlice("updateServer", { params: { id }, body: { name: "Home again", icon: null } });

    await asAlice("setServerIcon", { params: { id }, body: picture() });
    await asAlice("deleteServerIcon", { params: { id } });

    const invite = await asAlice("createInvite", {
      body: { server_id: id, expires_hours: 0, max_uses: 3 },
    });
    const spare = await asAlice("createInvite", { body: { server_id: id } });
    const code = String(invite.code);
    await asBob("getInvite", { params: { code } });
    await asNobody("previewInvite", { params: { code } });
    await asBob("joinByInvite", { params: { code } });
    await by(carol)("joinByInvite", { params: { code } });
    await asAlice("listInvites", { params: { id } });
    await asAlice("deleteInvite", { params: { code: String(spare.code) } });

    await asBob("listMembers", { params: { id }, query: { limit: "2" } });
    await asBob("listMembers", { params: { id }, query: { q: "ali" } });
    await asBob("listMembers", { params: { id }, query: { ids: `${alice.id},${bob.id}` } });
    await asBob("getUser", { params: { id: alice.id } });

    await asAlice("setAvailability", {
      body: {
        time_zone: "europe/berlin",
        windows: [{ day: 5, start: "22:00", end: "02:00" }],
        dnd_outside: true,
      },
    });
    await asAlice("getMyAvailability");
    await asBob("getAvailability", { params: { id: alice.id } });
    await asBob("blockUser", { params: { userID: carol.id } });
    await asBob("listBlocks");
    await asBob("unblockUser", { params: { userID: carol.id } });
    const pushed = new Browser("https://93.184.216.34/send/bob");
    await asBob("getVapidKey");
    await asBob("subscribeToPush", { body: pushed.subscription });
    await asBob("unsubscribeFromPush", { body: { endpoint: pushed.endpoint } });

    const role = await asAlice("createRole", {
      params: { serverID: id },
      body: { name: "Keepers", color: "#ff0000", permissions: permission.MANAGE_MESSAGES, position: 2 },
    });
    const roleID = String(role.id);
    await asAlice("updateRole", {
      params: { serverID: id, roleID },
      body: { name: "Wardens", position: 3 },
    });
    await asAlice("setMemberRoles", {
      params: { serverID: id, userID: bob.id },
      body: { role_ids: [roleID] },
    });
    await asBob("listMembers", { params: { id }, query: { role_id: roleID } });
    await asBob("listMemberRoles", { params: { serverID: id, userID: bob.id } });
    await asBob("listRoles", { params: { serverID: id } });

    const channel = await asAlice("createChannel", {
      body: { server_id: id, name: "kitchen", type: "text", category: "Rooms", position: 4 },
    });
    const channelID = String(channel.id);
    const parlour = await asAlice("createChannel", {
      body: { server_id: id, name: "parlour", type: "voice" },
    });
    const roomID = String(parlour.id);
    const asked = await asBob("createVoiceToken", { body: { room_name: roomID } });
    const guest = await media.join(String(asked.token));
    const told = JSON.stringify({ ...media.eventOf("participant_joined", roomID), participant: guest });
    await asNobody("receiveVoiceWebhook", { body: told, headers: await media.signatureOf(told) });
    expect(await asBob("listVoiceParticipants", { params: { roomID } })).toHaveLength(1);
    await asBob("listChannels", { query: { server_id: id } });
    await asAlice("updateChannel", {
      params: { id: channelID },
      body: { name: "the kitchen", category: null },
    });
    const talk = await asAlice("openConversation", { body: { user_ids: [bob.id] } });
    await asAlice("openConversation", { body: { user_ids: [bob.id] } });
    const talkID = { params: { channelID: String(talk.id) } };
    await asAlice("createMessage", { ...talkID, body: { content: "Between *us*." } });
    await asBob("listMessages", talkID);
    await asBob("listConversations");
    await asBob("getChannel", { params: { id: String(talk.id) } });
    await asAlice("startCall", { params: { id: String(talk.id) } });
    await asBob("listConversations");
    await asBob("endCall", { params: { id: String(talk.id) } });
    await asBob("hideConversation", { params: { id: String(talk.id) } });
    const group = await asAlice("openConversation", { body: { user_ids: [bob.id, carol.id] } });
    const groupID = { id: String(group.id) };
    await asAlice("updateChannel", { params: groupID, body: { name: "Tea" } });
    await asAlice("removeRecipient", { params: { ...groupID, userID: carol.id } });
    await asBob("addRecipient", { params: { ...groupID, userID: carol.id } });
    await asBob("startTyping", { params: { id: channelID } });

    const first = await asAlice("createMessage", {
      params: { channelID },
      body: { content: `@${bob.username} and @Wardens, @everyone: tea?`, nonce: "n" },
    });
    const messageID = String(first.id);
    const repeated = {
      params: { channelID },
      body: { content: `@${bob.username} and @Wardens, @everyone: tea?`, nonce: "n" },
    };
    await asAlice("createMessage", repeated);
    const answer = await asBob("createMessage", {
      params: { channelID },
      body: { content: "Yes!", reply_to: messageID },
    });
    await asAlice("updateMessage", { params: { messageID }, body: { content: "Tea, everybody?" } });
    await asBob("addReaction", { params: { messageID }, body: { emoji: "🎉" } });
    await asAlice("addReaction", { params: { messageID }, body: { emoji: ":wave:" } });
    await asAlice("listReactions", { params: { messageID } });
    await asBob("getMessage", { params: { messageID } });
    await asBob("markChannelRead", { params: { channelID }, body: { message_id: messageID } });
    await asBob("markServerRead", { params: { id } });
    await asBob("setServerNotifications", { params: { id }, body: { level: "all" } });
    const muted_until = "9999-12-31T23:59:59.999Z";
    await asBob("setChannelNotifications", { params: { channelID }, body: { muted_until } });
    await asBob("getNotificationSettings");
    await asBob("setPushSettings", { body: { when: "always" } });
    await asBob("getPushSettings");
    await asBob("setServerOrder", { body: { server_ids: [id] } });
    await asBob("listMessages", { params: { channelID }, query: { limit: "50" } });
    await asBob("listMessages", { params: { channelID }, query: { around: messageID } });
    await asBob("getChannel", { params: { id: channelID } });
    const ofBob = { id: channelID, roleOrUserID: bob.id };
    await asAlice("setOverride", { params: ofBob, body: { kind: "member", allow: 4, deny: 0 } });
    await asBob("listOverrides", { params: { id: channelID } });
    await asBob("explainPermissions", { params: { id: channelID, userID: bob.id } });
    await asAlice("deleteOverride", { params: ofBob });
    await asBob("removeReaction", { params: { messageID, emoji: "🎉" } });
    await asBob("deleteMessage", { params: { messageID: String(answer.id) } });
    await asBob("bulkDeleteMessages", { params: { channelID }, body: { message_ids: [messageID] } });

    await asAlice("kickMember", { params: { id, userID: carol.id } });
    await asAlice("banUser", { params: { id, userID: carol.id }, body: { reason: "loud" } });
    await asAlice("listBans", { params: { id } });
    await asAlice("unbanUser", { params: { id, userID: carol.id } });

    const bot = await asAlice("createBot", { body: { name: "Beeper", description: "Beeps" } });
    const ofBot = { id: String(bot.id) };
    await asAlice("listBots");
    await asAlice("getBot", { params: ofBot });
    await asAlice("updateBot", { params: ofBot, body: { name: "Booper", description: null } });
    await asAlice("setBotAvatar", { params: ofBot, body: picture() });
    await asAlice("deleteBotAvatar", { params: ofBot });
    await asAlice("addBotToServer", { params: ofBot, body: { server_id: id } });
    const command = await asAlice("createCommand", {
      params: ofBot,
      body: { server_id: id, name: "Beep", description: "Beeps back" },
    });
    await asAlice("listBotCommands", { params: ofBot, query: { limit: "5" } });
    await asBob("listServerCommands", { params: { serverID: id } });
    await asAlice("deleteCommand", { params: { ...ofBot, cmdID: String(command.id) } });
    await asAlice("regenerateBotToken", { params: ofBot });
    await asAlice("removeBotFromServer", { params: { ...ofBot, serverID: id } });
    await asAlice("deleteBot", { params: ofBot });

    const hook = await asAlice("createWebhook", { params: { channelID }, body: { name: "Builds" } });
    const webhookID = String(hook.id);
    await asAlice("listWebhooks", { params: { channelID } });
    const toHook = { webhookID, token: String(hook.token) };
    await asNobody("executeWebhook", { params: toHook, body: { content: "Green", username: "Build 7" } });
    await asNobody("executeWebhook", { params: toHook, query: { wait: "true" }, body: { content: "Red" } });
    await asAlice("deleteWebhook", { params: { webhookID } });

    const plan = { title: "Tea", starts_at: "2130-01-31T18:00:00.000Z", channel_id: channelID };
    const tea = await asBob("createEvent", { params: { id }, body: plan });
    await asAlice("setRsvp", { params: { id: String(tea.id) }, body: { status: "maybe" } });
    await asAlice("listEvents", { params: { id } });
    await asAlice("updateEvent", { params: { id: String(tea.id) }, body: { title: "Coffee" } });
    await asBob("deleteEvent", { params: { id: String(tea.id) } });

    // Alice registered first, so she owns the instance.
    const badge = await asAlice("createBadge", { body: { name: "Helper", icon: "🎖️", color: "#33AAFF" } });
    const holding = { id: bob.id, badgeID: String(badge.id) };
    await asAlice("giveBadge", { params: holding });
    await asAlice("getUser", { params: { id: bob.id } });
    await asAlice("listBadgesOf", { params: { id: bob.id } });
    await asBob("listBadges");
    await asAlice("takeBadge", { params: holding });
    await asAlice("deleteBadge", { params: { id: String(badge.id) } });

    await asAlice("listAccounts", { query: { q: "dave", limit: "2" } });
    await asAlice("updateAccount", { params: { id: carol.id }, body: { instance_role: "admin" } });
    await asAlice("createResetLink", { params: { id: carol.id } });
    await asAlice("endSessionsOf", { params: { id: carol.id } });
    await asAlice("listAllServers", { query: { q: "home" } });
    await asAlice("getStorage");
    await asAlice("getHealth");
    await asAlice("getInstanceSettings");
    await asAlice("setInstanceSettings", { body: { registration: "open", name: "The Hearth" } });
    await asAlice("sendTestMail");
    // `serve` below replaces the picture host in the server's network by the push service, so this call comes first.
    await asBob("getPicture", { query: { url: "http://pictures.example/sun.png" } });
    const service = await PushService.open();
    service.serve(house());
    await browserOf(alice, service);
    await asAlice("sendTestPush");
    service.close();

    await asAlice("deleteRole", { params: { serverID: id, roleID } });
    await asAlice("deleteChannel", { params: { id: channelID } });
    await asAlice("handOverServer", { params: { id }, body: { user_id: bob.id } });
    await asAlice("leaveServer", { params: { id } });
    await asBob("deleteServer", { params: { id } });

    const browser = new TestBrowser(house());
    await asAlice("beginPasskey");
    const registration = await browser.beginRegistration(alice);
    const passkey = await asAlice("addPasskey", {
      cookie: registration.cookie,
      body: { ...browser.key.create(registration.publicKey), name: "This machine" },
    });
    await asNobody("beginPasskeyLogin");
    const begun = await browser.beginLogin();
    await asNobody("loginWithPasskey", { cookie: begun.cookie, body: browser.key.get(begun.publicKey) });
    await asAlice("listPasskeys");
    await asAlice("deletePasskey", { params: { id: String(passkey.id) } });

    const letter = await asAlice("uploadFile", { body: formOf("letter.txt", "Dear all,") });
    const photo = await pictureOf("png", { width: 900, height: 90 });
    expect(await asAlice("uploadFile", { body: formOf("photo.png", photo) })).toMatchObject({ width: 900 });
    await asBob("getFile", { params: { filename: String(letter.url).replace("/files/", "") } });
    await asBob("searchGifs", { query: { q: "tea", limit: "3" } });
    await asBob("trendingGifs");

    const there = await asAlice("listSessions");
    expect(there).toHaveLength(2);
    const phone = await TestPerson.register(house(), "phone");
    const [current] = (await phone.get<{ id: string }[]>("/auth/sessions")).body;
    await by(phone)("endSession", { params: { id: String(current?.id) } });
    await asBob("changePassword", {
      body: { current_password: bob.password, new_password: "another horse battery" },
    });
    await asNobody("forgotPassword", { body: { email: carol.email } });
    const link = await house().running.house.write((unit) => makeLink(unit, bob.id));
    await asNobody("resetPassword", {
      body: { token: link?.url.split("token=")[1], new_password: "a third horse battery" },
    });
    await asAlice("logout");

    const missed = routes
      .map(({ operation }) => operation.name)
      .filter((name) => !inspector.called.has(name));
    expect(missed).toEqual([]);
  });
}
