// Adds a bot to a server.
import { addBotToServer } from "../calls.ts";
import type { Bot } from "../contract.ts";

/** Returns the bot with the server among its own. */
export async function addToServer(bot: Bot, serverId: string): Promise<Bot> {
  await addBotToServer({ params: { id: bot.id }, body: { server_id: serverId } });
  return { ...bot, server_ids: [...bot.server_ids, serverId] };
}
