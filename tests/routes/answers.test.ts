// What the running server really answers fits what its operations declare: every operation, once and well.
import { expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine, type TestHouse } from "../house/engines.ts";
import { type Loose, send, TestPerson } from "../house/people.ts";
import { operationNamed, routes } from "./walk.ts";

interface Input {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/** Calls operations by their names, and checks each answer against its declaration. */
class Inspector {
  readonly #house: TestHouse;
  readonly called = new Set<string>();

  constructor(house: TestHouse) {
    this.#house = house;
  }

  async call(who: TestPerson | undefined, name: string, { params = {}, query = {}, body }: Input = {}) {
    const operation = operationNamed(name);
    this.called.add(name);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(params[key] ?? "?"),
    );
    const search = new URLSearchParams(query).toString();
    const address = search === "" ? path : `${path}?${search}`;
    const answer = await send<Loose>(this.#house, who?.token, operation.method, address, body);
    const declared = operation.answers[answer.status];
    if (!declared) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    if (!declared.body) expect(answer.body).toBeUndefined();
    // Equal, not merely fitting: a field that is not declared would be missing from what was read.
    else expect<unknown>(declared.body.parse(answer.body)).toEqual(answer.body);
    return answer.body;
  }
}

onEachEngine("answers and declarations", (house) => {
  test("a whole evening of Alice and Bob, with every operation in it", async () => {
    const inspector = new Inspector(house());
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
    await asAlice("setPresence", { body: { status: "dnd" } });

    const home = await asAlice("createServer", {
      body: { name: "Home", icon: "https://pictures.example/home.png" },
    });
    const id = String(home.id);
    await asAlice("listServers");
    await asAlice("getServer", { params: { id } });
    await asAlice("updateServer", { params: { id }, body: { name: "Home again", icon: null } });

    const invite = await asAlice("createInvite", { body: { server_id: id, expires_hours: 0, max_uses: 3 } });
    const spare = await asAlice("createInvite", { body: { server_id: id } });
    const code = String(invite.code);
    await asBob("getInvite", { params: { code } });
    await asBob("joinByInvite", { params: { code } });
    await by(carol)("joinByInvite", { params: { code } });
    await asAlice("listInvites", { params: { id } });
    await asAlice("deleteInvite", { params: { code: String(spare.code) } });

    await asBob("listMembers", { params: { id }, query: { limit: "2" } });
    await asBob("getUser", { params: { id: alice.id } });

    const role = await asAlice("createRole", {
      params: { serverID: id },
      body: { name: "Keepers", color: "#ff0000", permissions: permission.MANAGE_MESSAGES, position: 2 },
    });
    const roleID = String(role.id);
    await asAlice("updateRole", { params: { serverID: id, roleID }, body: { name: "Wardens", position: 3 } });
    await asAlice("setMemberRoles", {
      params: { serverID: id, userID: bob.id },
      body: { role_ids: [roleID] },
    });
    await asBob("listMemberRoles", { params: { serverID: id, userID: bob.id } });
    await asBob("listRoles", { params: { serverID: id } });

    const channel = await asAlice("createChannel", {
      body: { server_id: id, name: "kitchen", type: "text", category: "Rooms", position: 4 },
    });
    const channelID = String(channel.id);
    await asAlice("createChannel", { body: { server_id: id, name: "parlour", type: "voice" } });
    await asBob("listChannels", { query: { server_id: id } });
    await asAlice("updateChannel", {
      params: { id: channelID },
      body: { name: "the kitchen", category: null },
    });
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
    await asBob("listMessages", { params: { channelID }, query: { limit: "50" } });
    await asBob("listMessages", { params: { channelID }, query: { around: messageID } });
    await asBob("getChannel", { params: { id: channelID } });
    await asBob("removeReaction", { params: { messageID, emoji: "🎉" } });
    await asBob("deleteMessage", { params: { messageID: String(answer.id) } });
    await asBob("bulkDeleteMessages", { params: { channelID }, body: { message_ids: [messageID] } });

    await asAlice("kickMember", { params: { id, userID: carol.id } });
    await asAlice("banUser", { params: { id, userID: carol.id }, body: { reason: "loud" } });
    await asAlice("listBans", { params: { id } });
    await asAlice("unbanUser", { params: { id, userID: carol.id } });

    await asAlice("deleteRole", { params: { serverID: id, roleID } });
    await asAlice("deleteChannel", { params: { id: channelID } });
    await asAlice("handOverServer", { params: { id }, body: { user_id: bob.id } });
    await asAlice("leaveServer", { params: { id } });
    await asBob("deleteServer", { params: { id } });

    const there = await asAlice("listSessions");
    expect(there).toHaveLength(1);
    const phone = await TestPerson.register(house(), "phone");
    const [current] = (await phone.get<{ id: string }[]>("/auth/sessions")).body;
    await by(phone)("endSession", { params: { id: String(current?.id) } });
    await asBob("changePassword", {
      body: { current_password: bob.password, new_password: "another horse battery" },
    });
    await asAlice("logout");

    const missed = routes
      .map(({ operation }) => operation.name)
      .filter((name) => !inspector.called.has(name));
    expect(missed).toEqual([]);
  });
});
