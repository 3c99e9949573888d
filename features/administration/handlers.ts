// The operator's commands about accounts, which need neither a password nor a session.
import { timeText } from "../../protocol/clock.ts";
import { Refusal } from "../../protocol/errors.ts";
import { aligned } from "../../server/config/aligned.ts";
import type { Command, Feature } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import {
  disableAccount,
  enableAccount,
  lockUser,
  selectPeople,
  setInstanceRole,
} from "../accounts/access.ts";
import { lockBot } from "../bots/access.ts";
import { makeLink, voidLinks } from "../password-resets/access.ts";
import { endSessions } from "../sessions/access.ts";
import { type BotRow, disableBot, enableBot, listBots } from "./bots.ts";
import { type Account, findAccount, noAccount } from "./finding.ts";

const mostListed = 1000;

export const administration: Feature = {
  name: "administration",
  operations: [],
  commands: [
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
    onAccount("end-sessions", "sign an account out everywhere", signOut),
  ],
};

/** A command on one account, which is locked while it runs. A bot is refused unless `changeBot` is given. */
function onAccount(
  name: string,
  meaning: string,
  change: (unit: UnitOfWork, user: Account) => Promise<string>,
  changeBot?: (unit: UnitOfWork, user: Account, bot: BotRow) => Promise<string>,
): Command {
  return {
    name,
    takes: ["<user>"],
    meaning,
    run: (house, [word = ""]) =>
      house.write(async (unit) => {
        const known = await findAccount(unit, word);
        // The bot's row is locked before its account, as in its owner's changes, so that the two cannot wait for each
        // other.
        const bot = known?.is_bot === 1 && changeBot ? await lockBot(unit, known.id) : undefined;
        const user = known && (await lockUser(unit, known.id));
        if (user && bot && changeBot) return [await changeBot(unit, user, bot)];
        if (!user || user.is_bot === 1) throw noAccount(word);
        return (await change(unit, user)).split("\n");
      }),
  };
}

async function listUsers(house: House, [part = ""]: readonly string[]): Promise<string[]> {
  const people = await selectPeople(house.database.read, part, mostListed + 1);
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

async function disable(unit: UnitOfWork, user: Account): Promise<string> {
  if (user.disabled_at !== null) return `${user.username} is disabled already.`;
  await disableAccount(unit, user.id);
  await voidLinks(unit, user.id);
  return `${user.username} is disabled. ${ended(await endSessions(unit, user.id, () => true))}`;
}

async function enable(unit: UnitOfWork, user: Account): Promise<string> {
  if (user.disabled_at === null) return `${user.username} is not disabled.`;
  await enableAccount(unit, user.id);
  return `${user.username} may sign in again.`;
}

async function makeAdmin(unit: UnitOfWork, user: Account): Promise<string> {
  if (user.instance_role === "owner")
    return `${user.username} owns the instance: that is more than an admin.`;
  if (user.instance_role === "admin") return `${user.username} is an admin already.`;
  await setInstanceRole(unit, user, "admin");
  return `${user.username} is an admin now.`;
}

async function takeAdmin(unit: UnitOfWork, user: Account): Promise<string> {
  if (user.instance_role === "owner")
    throw new Refusal("conflict", `${user.username} owns the instance; that cannot be taken.`);
  if (user.instance_role === "member") return `${user.username} is no admin.`;
  await setInstanceRole(unit, user, "member");
  return `${user.username} is no admin any more.`;
}

async function printLink(unit: UnitOfWork, user: Account): Promise<string> {
  const link = await makeLink(unit, user.id);
  if (!link) throw new Refusal("conflict", `${user.username} is disabled: enable the account first.`);
  return `For ${user.username}, once, within one hour; older links are void:\n${link}`;
}

async function signOut(unit: UnitOfWork, user: Account): Promise<string> {
  return `${user.username} is signed out. ${ended(await endSessions(unit, user.id, () => true))}`;
}

function ended(count: number): string {
  return count === 1 ? "1 session ended." : `${count} sessions ended.`;
}
