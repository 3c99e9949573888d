// The fixture of the permission matrix: one server, and one person of each kind that permissions.md distinguishes.
import type { Channel, Conversation } from "../../features/channels/contract.ts";
import type { Invite } from "../../features/invites/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { makeLink } from "../../features/password-resets/access.ts";
import type { Role } from "../../features/roles/contract.ts";
import type { Server } from "../../features/servers/contract.ts";
import { type Override, overridableBits } from "../../protocol/overrides.ts";
import { type PermissionName, permission } from "../../protocol/permissions.ts";
import { PushService } from "../doubles/web-push.ts";
import type { TestHouse } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import type { TestPerson } from "../house/people/people.ts";
import { browserOf } from "../house/scenes/pushes.ts";
import type { MailBox } from "../house/servers/mail-box.ts";

export const kinds = ["anonymous", "stranger", "blind", "lacking", "allowed", "admin", "owner"] as const;
export type Kind = (typeof kinds)[number];

/**
 * The permissions of the blind, the lacking and the allowed caller are given and taken by their roles, or by overrides
 * of the channels.
 */
type Way = "roles" | "overrides";

const everyBit = 2047;

export class Stage {
  readonly house: TestHouse;
  readonly people: Readonly<Record<Exclude<Kind, "anonymous">, TestPerson>>;
  /** A plain member, ranked below all others, who is the target of their actions. */
  readonly target: TestPerson;
  /** A person whose sessions and password may be used up. */
  readonly spare: TestPerson;
  /** The owner of the instance, who is in none of its servers. */
  readonly keeper: TestPerson;
  readonly server: Server & { general: Channel };
  readonly #roles: Readonly<Record<"blind" | "lacking" | "allowed", Role>>;
  readonly #way: Way;
  /** The overrides of each channel. */
  #overrides: readonly Override[] = [];
  readonly #invite: Invite;
  /** Receives the server's mails. */
  box: MailBox | undefined;
  #bot: TestBot | undefined;
  #known: readonly TestPerson[] = [];
  #pushService: PushService | undefined;

  private constructor(
    house: TestHouse,
    people: Stage["people"],
    target: TestPerson,
    spare: TestPerson,
    keeper: TestPerson,
    server: Stage["server"],
    roles: Readonly<Record<"blind" | "lacking" | "allowed", Role>>,
    way: Way,
    invite: Invite,
  ) {
    this.house = house;
    this.people = people;
    this.target = target;
    this.spare = spare;
    this.keeper = keeper;
    this.server = server;
    this.#roles = roles;
    this.#way = way;
    this.#invite = invite;
  }

  static async set(house: TestHouse, way: Way): Promise<Stage> {
    // The first account owns the instance.
    const keeper = await house.person("keeper");
    const names = ["stranger", "blind", "lacking", "allowed", "admin", "owner", "target", "spare"];
    const cast = await Promise.all(names.map((name) => house.person(name)));
    const [stranger, blind, lacking, allowed, admin, owner, target, spare] = cast as [
      TestPerson,
      TestPerson,
      TestPerson,
      TestPerson,
      TestPerson,
      TestPerson,
      TestPerson,
      TestPerson,
    ];
    const server = await owner.makeServer("The stage");
    await owner.bringIn(server.id, blind, lacking, allowed, admin, target);
    // Members have no permissions except by a role of their own.
    await owner.patch(`/servers/${server.id}/roles/${server.everyone.id}`, { permissions: 0 });
    await owner.giveRole(server.id, admin, permission.ADMINISTRATOR, 20);
    await owner.giveRole(server.id, target, 0, 1);
    const roles = {
      blind: await owner.giveRole(server.id, blind, 0, 10),
      lacking: await owner.giveRole(server.id, lacking, 0, 10),
      allowed: await owner.giveRole(server.id, allowed, 0, 10),
    };
    const invite = (await owner.post<Invite>("/invites", { server_id: server.id, expires_hours: 0 })).body;
    const people = { stranger, blind, lacking, allowed, admin, owner };
    return new Stage(house, people, target, spare, keeper, server, roles, way, invite);
  }

  /**
   * Gives the allowed caller the needed permissions only, the lacking one all others and VIEW_CHANNEL, and the blind
   * one all but VIEW_CHANNEL; neither of these two gets ADMINISTRATOR.
   */
  async deal(needs: readonly PermissionName[]): Promise<void> {
    const needed = needs.reduce((bits, name) => bits | permission[name], 0);
    const rest = everyBit & ~permission.ADMINISTRATOR;
    if (this.#way === "overrides") return this.#dealByOverrides(needed, rest);
    await this.#set("allowed", needed);
    await this.#set("lacking", (rest & ~needed) | permission.VIEW_CHANNEL);
    await this.#set("blind", rest & ~permission.VIEW_CHANNEL);
  }

  /** Roles give each of them the wrong permissions; the overrides of every channel put that right. */
  async #dealByOverrides(needed: number, rest: number): Promise<void> {
    const { blind, lacking, allowed } = this.people;
    const inChannels = needed & overridableBits;
    await this.#set("allowed", needed & ~overridableBits);
    await this.#set("lacking", rest & ~(needed & ~overridableBits));
    await this.#set("blind", rest);
    const ofMember = ({ id }: TestPerson, allow: number, deny: number): Override => ({
      id,
      kind: "member",
      allow,
      deny,
    });
    this.#overrides = [
      ofMember(allowed, inChannels, 0),
      ofMember(lacking, 0, inChannels & ~permission.VIEW_CHANNEL),
      ofMember(blind, 0, permission.VIEW_CHANNEL),
    ];
    for (const { id, ...override } of this.#overrides) {
      const answer = await this.owner.put(`/channels/${this.server.general.id}/overrides/${id}`, override);
      if (answer.status !== 204) throw new Error("the overrides could not be set");
    }
  }

  async #set(who: "blind" | "lacking" | "allowed", permissions: number): Promise<void> {
    const path = `/servers/${this.server.id}/roles/${this.#roles[who].id}`;
    const answer = await this.people.owner.patch(path, { permissions });
    if (answer.status !== 200) throw new Error("the bits could not be dealt");
  }

  get owner(): TestPerson {
    return this.people.owner;
  }

  person(kind: Kind): TestPerson | undefined {
    return kind === "anonymous" ? undefined : this.people[kind];
  }

  channel(): Promise<Channel> {
    return this.#makeChannel({ name: "a room" });
  }

  voiceChannel(): Promise<Channel> {
    return this.#makeChannel({ name: "a voice room", type: "voice" });
  }

  async #makeChannel(asked: { name: string; type?: "voice" }): Promise<Channel> {
    const more = { server_id: this.server.id, overrides: this.#overrides };
    return (await this.owner.post<Channel>("/channels", { ...asked, ...more })).body;
  }

  /** A channel that denies the target to see it. */
  async channelWithOverride(): Promise<Channel> {
    const channel = await this.channel();
    const denied = { kind: "member", deny: permission.VIEW_CHANNEL };
    await this.owner.put(`/channels/${channel.id}/overrides/${this.target.id}`, denied);
    return channel;
  }

  /** A conversation of the allowed caller with a member who is not the target. */
  async conversation(): Promise<Conversation> {
    const [friend] = await this.#friends();
    const answer = await this.people.allowed.post<Conversation>("/direct", { user_ids: [friend?.id] });
    return answer.body;
  }

  /** A new group of the allowed caller with two members who are not the target. */
  async group(): Promise<Conversation> {
    const user_ids = (await this.#friends()).map(({ id }) => id);
    return (await this.people.allowed.post<Conversation>("/direct", { user_ids })).body;
  }

  async #friends(): Promise<readonly TestPerson[]> {
    if (this.#known.length > 0) return this.#known;
    this.#known = [await this.house.person("friend"), await this.house.person("mate")];
    await this.owner.bringIn(this.server.id, ...this.#known);
    return this.#known;
  }

  async role(): Promise<Role> {
    const asked = { name: "a role", permissions: 0, position: 1 };
    return (await this.owner.post<Role>(`/servers/${this.server.id}/roles`, asked)).body;
  }

  message(): Promise<Message> {
    return this.owner.say(this.server.general.id, "a message");
  }

  /** A message by the allowed caller, who is given the permission to send for just that. */
  async ownMessage(needs: readonly PermissionName[]): Promise<Message> {
    await this.#set("allowed", permission.VIEW_CHANNEL | permission.SEND_MESSAGES);
    const message = await this.people.allowed.say(this.server.general.id, "a message of their own");
    await this.deal(needs);
    return message;
  }

  /** The target, as a member of the server who is not banned. */
  async presentTarget(): Promise<TestPerson> {
    await this.owner.delete(`/servers/${this.server.id}/bans/${this.target.id}`);
    const joined = await this.target.post(`/invites/${this.#invite.code}/join`);
    if (joined.status !== 200) throw new Error("the target could not come back");
    return this.target;
  }

  /** Another server of the owner with these guests, which the test may use up. */
  async otherServer(...guests: (TestPerson | undefined)[]): Promise<Server & { code: string }> {
    const server = (await this.owner.post<Server>("/servers", { name: "Another" })).body;
    const { code } = (await this.owner.post<Invite>("/invites", { server_id: server.id })).body;
    for (const guest of guests) await guest?.post(`/invites/${code}/join`);
    return { ...server, code };
  }

  invite(): Promise<Invite> {
    return this.owner.post<Invite>("/invites", { server_id: this.server.id }).then((answer) => answer.body);
  }

  async badge(): Promise<{ id: string }> {
    return (await this.keeper.post<{ id: string }>("/badges", { name: "A badge", icon: "⭐" })).body;
  }

  async webhook(): Promise<{ id: string; token: string }> {
    const path = `/channels/${(await this.channel()).id}/webhooks`;
    return (await this.owner.post<{ id: string; token: string }>(path, { name: "A webhook" })).body;
  }

  /** A scheduled event that the owner made. */
  async event(): Promise<{ id: string }> {
    const asked = { title: "An event", starts_at: "2130-01-31T18:00:00.000Z" };
    return (await this.owner.post<{ id: string }>(`/servers/${this.server.id}/events`, asked)).body;
  }

  /** A new bot of this person; the previous one is deleted, so that nobody reaches the limit of bots. */
  async bot(owner: TestPerson): Promise<TestBot> {
    await this.#bot?.owner.delete(`/bots/${this.#bot.id}`);
    this.#bot = await TestBot.make(owner);
    return this.#bot;
  }

  /** Subscribes a browser of the keeper to push notifications, and lets the server reach its push service. */
  async subscribeKeeper(): Promise<void> {
    if (this.#pushService) return;
    this.#pushService = await PushService.open();
    this.#pushService.serve(this.house);
    await browserOf(this.keeper, this.#pushService);
  }

  leave(): void {
    this.#pushService?.close();
  }

  /**
   * The token of a new password-reset link for the spare person, as the operator gets it. It replaces the links by
   * mail, which are made after the requests for them are answered: the third (the most in an hour) is awaited first.
   */
  async resetToken(): Promise<string> {
    await this.box?.linkTo(this.spare.email, 3);
    const { house } = this.house.running;
    const link = await house.write((unit) => makeLink(unit, this.spare.id));
    return link?.url.split("token=")[1] ?? "";
  }

  /** A fresh session of the spare person: its token and its id. */
  async session(): Promise<{ token: string; id: string }> {
    const { username: email, password } = this.spare;
    const answer = await this.spare.post("/auth/login/password", { email, password });
    const token = answer.headers.get("x-session-token") ?? "";
    this.spare.token = token;
    const sessions = (await this.spare.get<{ id: string; current: boolean }[]>("/auth/sessions")).body;
    return { token, id: sessions.find((each) => each.current)?.id ?? "" };
  }
}
