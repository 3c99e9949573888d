// A server of a hundred thousand members, with large numbers of bans, messages and commands.
import { call } from "../../people.ts";
import type { Scene } from "../attack.ts";
import { everyoneOf } from "./everyone.ts";

export interface Metropolis {
  everyone: string;
  /** A role that every member has. */
  herd: string;
  invite: string;
  /** A channel with very many messages. */
  archive: string;
  botId: string;
  /** Ids of some members. */
  some: string[];
}

const sizes = { members: 100_000, bans: 10_000, messages: 200_000, commands: 1000 };

export const metropolis: Scene<Metropolis> = {
  name: "metropolis",
  async prepare(stage) {
    const { origin, people, serverId } = stage;
    const ask = <Answer>(method: string, path: string, body?: unknown) =>
      call<Answer>(origin, people[0]!, method, path, body);
    const server_id = serverId;
    const herd = await ask<{ id: string }>("POST", `/servers/${serverId}/roles`, { name: "herd" });
    const members = await ask<{ user: { id: string; username: string } }[]>(
      "GET",
      `/servers/${serverId}/members?limit=100`,
    );
    const idOf = (index: number) =>
      members.find(({ user }) => user.username === people[index]!.username)!.user.id;
    await ask("PUT", `/servers/${serverId}/members/${idOf(1)}/roles`, { role_ids: [herd.id] });
    await ask("PUT", `/servers/${serverId}/bans/${idOf(people.length - 1)}`, {});
    const { code } = await ask<{ code: string }>("POST", "/invites", { server_id });
    const archive = await ask<{ id: string }>("POST", "/channels", { server_id, name: "archive" });
    await ask("POST", `/channels/${archive.id}/messages`, { content: "As it was said in those days." });
    const bot = await ask<{ id: string }>("POST", "/bots", { name: "clerk" });
    await ask("POST", `/bots/${bot.id}/servers`, { server_id });
    await ask("POST", `/bots/${bot.id}/commands`, { server_id, name: "count", description: "x".repeat(500) });
    const everyone = await everyoneOf(stage);
    return { everyone, herd: herd.id, invite: code, archive: archive.id, botId: bot.id, some: [] };
  },
  fill(filler, { serverId }, facts, some) {
    const server_id = serverId;
    const members = filler.people("citizen", some(sizes.members));
    filler.join(serverId, members);
    facts.some = members.filter((_, index) => index % Math.ceil(members.length / 100) === 0);
    const given = filler.row("member_roles", { role_id: facts.herd });
    filler.copies(
      "member_roles",
      given,
      members.map((user_id) => ({ user_id })),
    );
    filler.raiseCounts(facts.herd, members.length);
    const banned = filler.people("outlaw", some(sizes.bans));
    filler.copies(
      "bans",
      filler.row("bans", { server_id }),
      banned.map((user_id) => ({ user_id })),
    );
    const message = filler.row("messages", { channel_id: facts.archive });
    const messages = Array.from({ length: some(sizes.messages) }, () => ({ id: Bun.randomUUIDv7() }));
    filler.copies("messages", message, messages);
    const command = filler.row("commands", { server_id });
    const commands = Array.from({ length: some(sizes.commands) - 1 }, (_, index) => ({
      id: Bun.randomUUIDv7(),
      name: `count${index}`,
    }));
    filler.copies("commands", command, commands);
  },
};
