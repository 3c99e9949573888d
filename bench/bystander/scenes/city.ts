// A server of the largest size, and people whose lists, blocks and settings are all at their longest.
import { newToken, tokenHash } from "../../../server/tokens.ts";
import type { Filler } from "../../filler.ts";
import { call, type Person, type Stage } from "../../people.ts";
import type { Scene } from "../attack.ts";

export interface City {
  /** Ids of the attackers, in their order. */
  people: string[];
  /** Ids of some members. */
  some: string[];
  /** Tokens of members who are signed in. */
  tokens: string[];
  /** A server of about a thousand members, none of them named like the hundred thousand of the city. */
  village: string;
  /** A channel with very many messages. */
  archive: string;
  message: string;
  /** One message of each attacker in the archive, in the order of the attackers. */
  messages: string[];
  event: string;
  role: string;
}

const sizes = {
  known: 400,
  members: 100_000,
  villagers: 1000,
  channels: 500,
  messages: 100_000,
  blocks: 1000,
};

export const city: Scene<City> = {
  name: "city",
  async prepare({ origin, people, serverId, channelId }, some) {
    const [owner, second] = people as [Person, Person];
    const ask = <Answer>(method: string, path: string, body?: unknown, person = owner) =>
      call<Answer>(origin, person, method, path, body);
    const ids: string[] = [];
    for (const person of people)
      ids.push((await ask<{ id: string }>("GET", "/auth/me", undefined, person)).id);
    const village = await ask<{ id: string }>("POST", "/servers", { name: "Village" }, second);
    const archive = await ask<{ id: string }>("POST", "/channels", { server_id: serverId, name: "archive" });
    const content = "As it was said in those days.";
    const messages: string[] = [];
    for (const person of people)
      messages.push(
        (await ask<{ id: string }>("POST", `/channels/${archive.id}/messages`, { content }, person)).id,
      );
    const [message = ""] = messages;
    await ask("POST", `/channels/${channelId}/messages`, { content });
    for (const emoji of ["👍", "❤️", "🎉"]) await ask("POST", `/messages/${message}/reactions`, { emoji });
    const role = await ask<{ id: string }>("POST", `/servers/${serverId}/roles`, { name: "citizen" });
    await ask("PUT", `/servers/${serverId}/members/${ids[0]}/roles`, { role_ids: [role.id] });
    await ask("PUT", `/blocks/${ids[1]}`);
    await ask("PUT", `/channels/${archive.id}/notification-settings`, { level: "none" });
    const starts_at = new Date(Date.now() + 86_400_000).toISOString();
    const event = await ask<{ id: string }>("POST", `/servers/${serverId}/events`, {
      title: "Fair",
      starts_at,
    });
    for (let i = 1; i < some(100); i++)
      await ask("POST", `/servers/${serverId}/events`, { title: `Fair ${i}`, starts_at });
    for (let i = 0; i < some(48); i++) await ask("POST", "/invites", { server_id: serverId });
    const facts = {
      village: village.id,
      archive: archive.id,
      ...{ message, messages },
      event: event.id,
      role: role.id,
    };
    return { people: ids, some: [], tokens: [], ...facts };
  },
  fill(filler, stage, facts, some) {
    const members = filler.people("citizen", some(sizes.members));
    name(filler, members, "citizen", facts);
    filler.join(stage.serverId, members);
    const given = filler.row("member_roles", { role_id: facts.role });
    filler.copies(
      "member_roles",
      given,
      members.map((user_id) => ({ user_id })),
    );
    filler.raiseCounts(facts.role, members.length);
    facts.some = members.filter((_, index) => index % Math.ceil(members.length / sizes.known) === 0);
    const villagers = filler.people("villager", some(sizes.villagers));
    name(filler, villagers, "villager", facts);
    filler.join(facts.village, [...villagers, ...facts.people.filter((_, index) => index !== 1)]);
    fillChannels(filler, stage, facts, some);
    fillSessions(filler, facts);
    const block = filler.row("blocks", { user_id: facts.people[0]! });
    for (const [index, user_id] of facts.people.entries()) {
      const blocked = members.slice(0, some(sizes.blocks) - (index === 0 ? 2 : 1));
      filler.copies(
        "blocks",
        block,
        blocked.map((blocked_id) => ({ user_id, blocked_id })),
      );
    }
  },
};

/** Indexes people by name, so that a search finds them. */
function name(filler: Filler, ids: readonly string[], called: string, { people }: City): void {
  const model = filler.row("name_words", { user_id: people[0]! });
  filler.copies(
    "name_words",
    model,
    ids.map((user_id, index) => ({ user_id, word: `${called}${index}` })),
  );
}

/** Inserts sessions directly: registering so many people would take minutes. */
function fillSessions(filler: Filler, facts: City): void {
  const session = filler.row("sessions", { user_id: facts.people[0]! });
  filler.copies(
    "sessions",
    session,
    facts.some.map((user_id) => {
      const token = newToken("hs_");
      facts.tokens.push(token);
      return { id: Bun.randomUUIDv7(), user_id, token_hash: tokenHash(token) };
    }),
  );
}

function fillChannels(filler: Filler, { channelId }: Stage, facts: City, some: (count: number) => number) {
  const channel = filler.row("channels", { id: channelId });
  const made = Array.from({ length: Math.max(0, some(sizes.channels) - 2) }, () => Bun.randomUUIDv7());
  filler.copies(
    "channels",
    channel,
    made.map((id, index) => ({ id, name: `hall-${index}` })),
  );
  const message = filler.row("messages", { channel_id: facts.archive });
  const said = (channel_id: string) => ({ id: Bun.randomUUIDv7(), channel_id });
  filler.copies("messages", message, made.map(said));
  filler.copies(
    "messages",
    message,
    Array.from({ length: some(sizes.messages) }, () => said(facts.archive)),
  );
  const setting = filler.row("notification_settings", { user_id: facts.people[0]! });
  for (const [index, user_id] of facts.people.entries()) {
    const channels = index === 0 ? made : [facts.archive, ...made];
    filler.copies(
      "notification_settings",
      setting,
      channels.map((target_id) => ({ user_id, target_id })),
    );
  }
}
