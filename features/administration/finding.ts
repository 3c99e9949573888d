// Finds the account that the operator names, by username, address or id.
import { Refusal } from "../../protocol/errors.ts";
import { id } from "../../protocol/shapes.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { selectByLogin, selectByUsername, selectUser } from "../accounts/access.ts";
import type { AccountRow } from "./access.ts";

/** Returns a person or a bot, even a deleted one. */
export async function findAccount(unit: UnitOfWork, word: string): Promise<AccountRow | undefined> {
  const asId = id.safeParse(word);
  if (asId.success) return selectUser(unit.db, asId.data);
  return (await selectByLogin(unit.db, word)) ?? (await selectByUsername(unit.db, word));
}

export function noAccount(word: string): Refusal {
  return new Refusal("not_found", `There is no account ${word}: name its username, address or id.`);
}
