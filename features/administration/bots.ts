// The operator's commands about bots: list the bots of an owner, disable one, enable it.
import { timeText } from "../../protocol/clock.ts";
import { aligned } from "../../server/config/aligned.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { disableAccount, enableAccount, selectUser } from "../accounts/access.ts";
import { type lockBot, selectBotsOf, suspendToken } from "../bots/access.ts";
import type { AccountRow } from "./access.ts";
import { findAccount, noAccount } from "./finding.ts";

export type BotRow = NonNullable<Awaited<ReturnType<typeof lockBot>>>;

export async function listBots(house: House, [word = ""]: readonly string[]): Promise<string[]> {
  return house.read(async (unit) => {
    const owner = await findAccount(unit, word);
    if (!owner || owner.is_bot === 1) throw noAccount(word);
    const rows: string[][] = [];
    for (const bot of await selectBotsOf(unit.db, owner.id)) {
      const user = await selectUser(unit.db, bot.id);
      if (!user) continue;
      const disabled = user.disabled_at === null ? "-" : timeText(user.disabled_at);
      rows.push([user.id, user.username, disabled, timeText(user.created_at)]);
    }
    return aligned([["id", "username", "disabled", "created"], ...rows]);
  });
}

/** The tokens of a disabled bot are invalid, including those that its owner makes meanwhile. */
export async function disableBot(unit: UnitOfWork, user: AccountRow, bot: BotRow): Promise<string> {
  if (user.disabled_at !== null) return `${user.username} is disabled already.`;
  await disableAccount(unit, user.id);
  await suspendToken(unit, bot);
  return `${user.username} is disabled: no token of this bot counts any more.`;
}

export async function enableBot(unit: UnitOfWork, user: AccountRow): Promise<string> {
  if (user.disabled_at === null) return `${user.username} is not disabled.`;
  await enableAccount(unit, user.id);
  return `${user.username} may go on, with the token that it has.`;
}
