// The operator's commands about accounts, which need neither a password nor a session.
import { timeText } from "../../protocol/clock.ts";
import { aligned } from "../../server/config/aligned.ts";
import type { Command } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lockUser } from "../accounts/access.ts";
import { lockBot } from "../bots/access.ts";
import {
  type AccountRow,
  changeRole,
  disablePerson,
  enablePerson,
  logAct,
  makeResetLink,
  signOut,
} from "./access.ts";
import { type BotRow, disableBot, enableBot, listBots } from "./bots.ts";
import { findAccount, noAccount } from "./finding.ts";
import { peopleIn } from "./listing.ts";

const mostListed = 1000;

export const commands: readonly Command[] = [
  {
    name: "users",
    takes: ["[part of a name or address]"],
    meaning: "list the accounts",
    run: listUsers,
  },
  {
    name: "bots",
    takes: ["<user>"],
    meaning: "list the bots of an account",
    run: listBots,
  },
  onAccount(
    "disable",
    "end the sessions of an account and keep it from signing in; stop a bot",
    disable,
    disableBot,
  ),
  onAccount("enable", "let a disabled account sign in again, a disabled bot go on", enable, enableBot),
  onAccount("make-admin", "make an account an admin of the instance", makeAdmin),
  onAccount("take-admin", "make an admin of the instance an ordinary account", takeAdmin),
  onAccount("reset-link", "print a link that sets a new password, once, within an hour", printLink),
  onAccount("end-sessions", "sign an account out everywhere", endAll),
];

/** A command on one account, which is locked while it runs. A bot is refused unless `changeBot` is given. */
function onAccount(
  name: string,
  meaning: string,
  change: (unit: UnitOfWork, user: AccountRow) => Promise<string>,
  changeBot?: (unit: UnitOfWork, user: AccountRow, bot: BotRow) => Promise<string>,
): Command {
  return {
    name,
    takes: ["<user>"],
    meaning,
    async run(house, [word = ""]) {
      const [id, lines] = await house.write(async (unit) => {
        const known = await findAccount(unit, word);
        // The bot's row is locked before its account, as in its owner's changes, so that the two cannot deadlock.
        const bot = known?.is_bot === 1 && changeBot ? await lockBot(unit, known.id) : undefined;
        const user = known && (await lockUser(unit, known.id));
        if (user && bot && changeBot) return [user.id, [await changeBot(unit, user, bot)]];
        if (!user || user.is_bot === 1) throw noAccount(word);
        return [user.id, (await change(unit, user)).split("\n")];
      });
      logAct(house, "command line", id, name);
      return lines;
    },
  };
}

async function listUsers(house: House, [part = ""]: readonly string[]): Promise<string[]> {
  const people = await house.read((unit) =>
    peopleIn(unit, part, { most: mostListed + 1 }, (address, part) => address.includes(part)),
  );
  const rows = people
    .slice(0, mostListed)
    .map((user) => [
      user.id,
      user.username,
      user.email ?? "",
      user.instance_role,
      user.disabled_at === null ? "-" : timeText(user.disabled_at),
      timeText(user.created_at),
    ]);
  const lines = aligned([["id", "username", "e-mail", "role", "disabled", "created"], ...rows]);
  if (people.length > mostListed)
    lines.push(`These are the first ${mostListed}. Name a part of a username or address to find others.`);
  return lines;
}

async function disable(unit: UnitOfWork, user: AccountRow): Promise<string> {
  const count = await disablePerson(unit, user);
  if (count === undefined) return `${user.username} is disabled already.`;
  return `${user.username} is disabled. ${ended(count)}`;
}

async function enable(unit: UnitOfWork, user: AccountRow): Promise<string> {
  const isEnabled = await enablePerson(unit, user);
  return isEnabled ? `${user.username} may sign in again.` : `${user.username} is not disabled.`;
}

async function makeAdmin(unit: UnitOfWork, user: AccountRow): Promise<string> {
  if (user.instance_role === "owner")
    return `${user.username} owns the instance: that is more than an admin.`;
  const isMade = await changeRole(unit, user, "admin");
  return isMade ? `${user.username} is an admin now.` : `${user.username} is an admin already.`;
}

async function takeAdmin(unit: UnitOfWork, user: AccountRow): Promise<string> {
  const isTaken = await changeRole(unit, user, "member");
  return isTaken ? `${user.username} is no admin any more.` : `${user.username} is no admin.`;
}

async function printLink(unit: UnitOfWork, user: AccountRow): Promise<string> {
  const { url } = await makeResetLink(unit, user);
  return `For ${user.username}, once, within one hour; older links are void:\n${url}`;
}

async function endAll(unit: UnitOfWork, user: AccountRow): Promise<string> {
  return `${user.username} is signed out. ${ended(await signOut(unit, user))}`;
}

function ended(count: number): string {
  return count === 1 ? "1 session ended." : `${count} sessions ended.`;
}
