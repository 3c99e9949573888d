// Every declared kind of event changes a listener's copy, and after each step the copy equals a fresh one.

import { afterAll, expect, test } from "bun:test";
import { allPermissions, permission } from "../../protocol/permissions.ts";
import { features } from "../../server/features.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { insisted } from "../house/machine/insisted.ts";
import { promptly } from "../house/machine/waiting.ts";
import { onEachEngine } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import { signInAgain, subscribe } from "../house/people/own-devices.ts";
import type { TestCaller, TestPerson } from "../house/people/people.ts";
import { enter, inside } from "../house/scenes/parlour.ts";
import { Follower, quiet, seenOnline, seenOnlineBy } from "./follower.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());

onEachEngine("each event", (house) => {
  test("Bob's copy is fresh after every single thing that Alice, Carol and he can do", async () => {
    Object.assign(house().settings, media.settings);
    await house().restart();
    const [alice, bob, carol] = [
      determined(await house().person("alice")),
      determined(await house().person("bob")),
      determined(await house().person("carol")),
    ];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    for (const person of [alice, bob]) await seenOnline(person);
    const follower = await Follower.of(bob);
    await follower.look();
    const heardOf = new Set<string>();
    let marks = 0;
    let parlour = "";

    const steps: Record<string, () => Promise<unknown>> = {
      "Carol joins": () => alice.bringIn(home.id, carol),
      "Carol connects": async () => {
        await carol.listen();
        await follower.listener.until(
          ({ type, data }) => type === "PRESENCE_UPDATE" && String(data.user_id) === carol.id,
        );
        await seenOnlineBy(bob, carol.id);
      },
      "Carol is busy": () => carol.put("/auth/me/presence", { status: "dnd" }),
      "Bob is idle": () => bob.put("/auth/me/presence", { status: "idle" }),
      "Carol gets another name": () =>
        carol.patch("/auth/me", { display_name: "Caroline", status_text: "here" }),
      "Bob gets another name": async () => {
        await bob.patch("/auth/me", { display_name: "Robert", bio: "A builder." });
        // His server is told of it, too, on another process perhaps sooner.
        await follower.listener.untilAll(() => follower.listener.heard("ME_UPDATE").length > 0);
      },
      "Bob becomes an admin": async () => {
        await alice.patch(`/admin/users/${bob.id}`, { instance_role: "admin" });
        // No event of his server tells of it.
        await follower.until(({ user }) => user.instance_role === "admin", "he does not hear that he is one");
      },
      "Alice posts": () => alice.say(home.general.id, "one"),
      "Bob posts": () => bob.say(home.general.id, "two"),
      "Bob writes": () => bob.post(`/channels/${home.general.id}/typing`),
      "Carol writes": () => carol.post(`/channels/${home.general.id}/typing`),
      "Carol posts": () => carol.say(home.general.id, "three"),
      "Carol corrects": async () => carol.patch(`/messages/${await newest(carol)}`, { content: "3" }),
      "Bob reacts": async () => bob.post(`/messages/${await newest(bob)}/reactions`, { emoji: "🎉" }),
      "Alice reacts": async () => alice.post(`/messages/${await newest(bob)}/reactions`, { emoji: "🎉" }),
      "Carol corrects what Bob reacted to": async () =>
        carol.patch(`/messages/${await newest(carol)}`, { content: "III" }),
      "Carol gets a third name": () => carol.patch("/auth/me", { display_name: "Cara" }),
      "Carol gets a badge": async () => {
        // Alice registered first, so she owns the instance.
        const badge = (await alice.post("/badges", { name: "Helper", icon: "⭐" })).body;
        await alice.put(`/users/${carol.id}/badges/${badge.id}`);
      },
      "The badge is deleted": async () => {
        const [badge] = (await alice.get<{ id: string }[]>("/badges")).body;
        await alice.delete(`/badges/${badge?.id}`);
      },
      "Bob takes his reaction back": async () =>
        bob.delete(`/messages/${await newest(bob)}/reactions/${encodeURIComponent("🎉")}`),
      "Carol takes her message back": async () => carol.delete(`/messages/${await newest(carol)}`),
      "A webhook posts": async () => {
        const made = await alice.post(`/channels/${home.general.id}/webhooks`, { name: "Builds" });
        const { id, token } = made.body;
        await bob.post(`/webhooks/${id}/${token}?wait=true`, { content: "Green", username: "Build 7" });
      },
      "Bob marks it as unread": async () => {
        await bob.put(`/channels/${home.general.id}/read`, { message_id: null });
        await follower.listener.until(({ type }) => type === "READ_STATE_UPDATE");
      },
      "Bob wants to hear of nothing there": async () => {
        for (const path of [`/servers/${home.id}`, `/channels/${home.general.id}`]) {
          await bob.put(`${path}/notification-settings`, { level: "none" });
        }
      },
      "Alice takes away what it said": async () => alice.delete(`/messages/${await newest(alice)}`),
      "Alice opens a channel": () =>
        alice.post("/channels", { server_id: home.id, name: "den", position: 0 }),
      "Alice renames it": async () =>
        alice.patch(`/channels/${await den(alice)}`, { name: "cellar", position: 4 }),
      "Alice posts in it": async () => alice.say(await den(alice), "down here"),
      "Alice lets nobody write in it": async () =>
        override(await den(alice), home.everyone.id, { kind: "role", deny: permission.SEND_MESSAGES }),
      "Bob may": async () =>
        override(await den(alice), bob.id, { kind: "member", allow: permission.SEND_MESSAGES }),
      "Alice hides it": async () =>
        override(await den(alice), home.everyone.id, { kind: "role", deny: permission.VIEW_CHANNEL }),
      "Alice talks in it, unseen": async () => alice.say(await den(alice), "up here"),
      "Bob is let in": async () =>
        override(await den(alice), bob.id, { kind: "member", allow: permission.VIEW_CHANNEL }),
      "Alice closes it": async () => alice.delete(`/channels/${await den(alice)}`),
      "Alice opens a private channel for Bob": () => {
        const overrides = [
          { id: home.everyone.id, kind: "role", deny: permission.VIEW_CHANNEL },
          { id: bob.id, kind: "member", allow: permission.VIEW_CHANNEL | permission.MANAGE_MESSAGES },
        ];
        return alice.post("/channels", { server_id: home.id, name: "vault", topic: "Quiet", overrides });
      },
      "Alice closes that": async () => alice.delete(`/channels/${await den(alice)}`),
      "Bob becomes a moderator": () =>
        alice.giveRole(home.id, bob, allPermissions - permission.ADMINISTRATOR, 3),
      "The role is changed": async () =>
        alice.patch(`/servers/${home.id}/roles/${await topRole(alice)}`, { permissions: 3, name: "less" }),
      "Nobody sees anything any more, but Bob by his role": () => setEveryone(permission.SEND_MESSAGES),
      "Bob loses the role and with it the sight": async () =>
        alice.delete(`/servers/${home.id}/roles/${await topRole(alice)}`),
      "Alice talks, unseen": () => alice.say(home.general.id, "He cannot hear this"),
      "Everybody sees again": () => setEveryone(1795),
      "Carol goes into the parlour": async () => {
        const asked = { server_id: home.id, name: "parlour", type: "voice" };
        parlour = (await alice.post<{ id: string }>("/channels", asked)).body.id;
        media.webhookUrl = `${house().url}/api/v1/voice/webhook`;
        await enter(media, carol, parlour);
      },
      "Carol's microphone is muted": () => media.microphone(parlour, carol.id, "muted"),
      "Carol deafens herself": async () => {
        const ear = await carol.listen();
        ear.say("VOICE_DEAFEN", { channel_id: parlour, deafened: true });
        await follower.listener.next("VOICE_DEAFEN");
        ear.close();
      },
      "Carol goes out of it": () => media.leave(parlour, carol.id),
      "Carol goes into it again": () => enter(media, carol, parlour),
      "Nobody sees the room, so Carol is put out": async () => {
        await setEveryone(permission.SEND_MESSAGES | permission.CONNECT_VOICE);
        await promptly(async () => (await inside(alice, parlour)).length === 0);
      },
      "Everybody sees it, empty": () => setEveryone(1795),
      "Alice rings Bob": async () => {
        await alice.post(`/channels/${await began(alice, bob)}/call`);
        await follower.listener.next("CALL_RING");
      },
      "Bob declines": async () => {
        await bob.delete(`/channels/${await began(alice, bob)}/call`);
        await follower.listener.next("CALL_END");
      },
      "Alice goes into the room of their talk": async () => enter(media, alice, await began(alice, bob)),
      "Alice deafens herself there": async () => {
        const ear = await alice.listen();
        ear.say("VOICE_DEAFEN", { channel_id: await began(alice, bob), deafened: true });
        await ear.next("VOICE_DEAFEN");
        ear.close();
      },
      "Alice goes out of it": async () => media.leave(await began(alice, bob), alice.id),
      "Alice hands over to Bob": () => alice.post(`/servers/${home.id}/owner`, { user_id: bob.id }),
      "Bob hands it back": () => bob.post(`/servers/${home.id}/owner`, { user_id: alice.id }),
      "Alice names the server": () =>
        alice.patch(`/servers/${home.id}`, { icon: "https://icons.example/1.png" }),
      "Alice brings a bot in": async () => (await beeper()).enter(home.id),
      "The bot talks": async () => (await beeper()).say(home.general.id, "beep"),
      "The bot gets another name": async () =>
        alice.patch(`/bots/${(await beeper()).id}`, { name: "Booper" }),
      "The bot connects": async () => {
        const bot = await beeper();
        await bot.listen();
        await follower.listener.until(
          ({ type, data }) => type === "PRESENCE_UPDATE" && String(data.user_id) === bot.id,
        );
        await seenOnlineBy(bob, bot.id);
      },
      "The bot leaves": async () => (await beeper()).delete(`/servers/${home.id}/members/@me`),
      "The bot comes back": async () => (await beeper()).enter(home.id),
      "The bot is deleted": async () => alice.delete(`/bots/${(await beeper()).id}`),
      "Carol writes to Bob alone": async () => carol.say(await talk(), "between *us*"),
      "Bob answers there": async () => bob.say(await talk(), "so it is"),
      "Bob reacts there": async () => bob.post(`/messages/${await lastSaid()}/reactions`, { emoji: "🎉" }),
      "Bob corrects it": async () => bob.patch(`/messages/${await lastSaid()}`, { content: "so it was" }),
      "Bob takes it back": async () => bob.delete(`/messages/${await lastSaid()}`),
      "Bob hides the talk": async () => bob.delete(`/direct/${await talk()}`),
      "Carol writes on": async () => carol.say(await talk(), "still there?"),
      "Alice begins a group": async () => alice.say(await group(), "all of us"),
      "Alice names it": async () => alice.patch(`/channels/${await group()}`, { name: "Us" }),
      "Carol gets a name in all of them": () => carol.patch("/auth/me", { display_name: "Carola" }),
      "Carol leaves it": async () => carol.delete(`/channels/${await group()}/recipients/${carol.id}`),
      "Bob is put out of it": async () => alice.delete(`/channels/${await group()}/recipients/${bob.id}`),
      "Bob blocks Carol": () => bob.put(`/blocks/${carol.id}`),
      "Bob signs in once more": () => signInAgain(bob),
      "Bob subscribes a browser": () => subscribe(bob),
      "Carol is kicked": () => alice.delete(`/servers/${home.id}/members/${carol.id}`),
      "Bob leaves": () => bob.delete(`/servers/${home.id}/members/@me`),
      "Bob comes back": () => alice.bringIn(home.id, bob),
      "Bob makes a server": () => bob.makeServer("Bob's"),
      "Bob puts it before hers": async () => {
        const [first, second] = (await bob.get<{ id: string }[]>("/servers")).body;
        await bob.put("/auth/me/server-order", { server_ids: [second?.id, first?.id] });
        await follower.listener.next("SERVER_ORDER_UPDATE");
      },
      "Alice deletes hers": () => alice.delete(`/servers/${home.id}`),
    };
    let made: Promise<TestBot> | undefined;
    const beeper = () => (made ??= TestBot.make(alice).then(determined));
    const newest = async (person: TestPerson) =>
      String(
        (await person.get<{ id: string }[]>(`/channels/${home.general.id}/messages?limit=1`)).body[0]?.id,
      );
    const den = async (person: TestPerson) =>
      String(
        (await person.get<{ id: string }[]>(`/channels?server_id=${home.id}`)).body.find(
          (channel) => channel.id !== home.general.id,
        )?.id,
      );
    const began = async (by: TestPerson, ...others: TestPerson[]) =>
      (await by.post<{ id: string }>("/direct", { user_ids: others.map(({ id }) => id) })).body.id;
    let begun: Promise<string> | undefined;
    const talk = () => began(carol, bob);
    const group = () => (begun ??= began(alice, bob, carol));
    const lastSaid = async () =>
      String((await bob.get<{ id: string }[]>(`/channels/${await talk()}/messages?limit=1`)).body[0]?.id);
    const override = (channelId: string, id: string, body: Record<string, unknown>) =>
      alice.put(`/channels/${channelId}/overrides/${id}`, body);
    const topRole = async (person: TestPerson) =>
      String((await person.get<{ id: string }[]>(`/servers/${home.id}/roles`)).body[0]?.id);
    const setEveryone = (permissions: number) =>
      alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions });
    const witness = await Follower.of(alice);

    for (const [what, step] of Object.entries(steps)) {
      await step();
      await quiet([witness, follower], `mark ${++marks}`);
      await follower.expectFresh().catch((error) => {
        throw new Error(`after "${what}": ${(error as Error).message}`);
      });
    }

    for (const type of follower.changedBy) heardOf.add(type);
    // A copy follows bots by SERVER_MEMBER_ADD and _REMOVE; the others are about lists that a client fetches when it
    // shows them.
    const onlyHeard = ["BOT_JOIN", "BOT_LEAVE", "SESSIONS_UPDATE", "PUSH_SUBSCRIPTIONS_UPDATE"];
    for (const type of onlyHeard) if (follower.listener.heard(type).length > 0) heardOf.add(type);
    const declared = features.flatMap((feature) => feature.events ?? []).map((event) => event.type);
    expect([...declared, "SERVER_CREATE"].filter((type) => !heardOf.has(type))).toEqual([]);
    follower.close();
    witness.close();
  });
});

/** Retries each call: a busy machine may refuse one for now, and a step without effect would cause no event. */
function determined<Caller extends TestCaller>(caller: Caller): Caller {
  const call = caller.call.bind(caller);
  return Object.assign(caller, {
    async call(method: string, path: string, body?: unknown) {
      const answer = await insisted(() => call(method, path, body));
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
      return answer;
    },
  });
}
