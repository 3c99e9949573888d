// Bots that join and leave Olga's server: added, removed, counted, and heard of.
import type { Member } from "../../../features/members/contract.ts";
import type { Server } from "../../../features/servers/contract.ts";
import { verdict } from "../../permissions/verdict.ts";
import type { TestHouse } from "../open/engines.ts";
import type { TestBot } from "../people/bots.ts";
import type { Ear } from "../people/ear.ts";
import type { TestCaller } from "../people/people.ts";
import { homeForEach } from "./home.ts";

export const moves: readonly string[] = [
  "BOT_JOIN",
  "BOT_LEAVE",
  "SERVER_MEMBER_ADD",
  "SERVER_MEMBER_REMOVE",
];

/** The joins and leaves among the frames of an ear, with the reason where there is one. */
export function movesHeard(ear: Ear): string[] {
  return ear.frames
    .filter(({ type }) => moves.includes(type))
    .map(({ type, data }) => (data.reason ? `${type} ${data.reason}` : type));
}

export function botsForEach(house: () => TestHouse) {
  const stage = homeForEach(house);
  return {
    stage,
    add: async (who: TestCaller, bot: { id: string }, serverId = stage.home.id) =>
      verdict(await who.post(`/bots/${bot.id}/servers`, { server_id: serverId })),
    takeOut: async (who: TestCaller, bot: { id: string }, serverId = stage.home.id) =>
      verdict(await who.delete(`/bots/${bot.id}/servers/${serverId}`)),
    isIn: async (bot: TestBot) => {
      const { body } = await stage.olga.get<Member[]>(`/servers/${stage.home.id}/members`);
      return body.some(({ user }) => user.id === bot.id);
    },
    memberCount: async () => (await stage.olga.get<Server>(`/servers/${stage.home.id}`)).body.member_count,
  };
}
