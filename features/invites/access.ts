// Joining a server by invite, for a person with an account or a new one.
import { notFound, Refusal } from "../../protocol/errors.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { serverStream } from "../../server/place.ts";
import { isMember, join } from "../members/access.ts";
import { existingServer } from "../servers/access.ts";
import { type InvitesTable, selectInvite, spendInvite } from "./store.ts";

export { selectInvite } from "./store.ts";

export function isLive(invite: InvitesTable): boolean {
  return invite.live_until > Date.now();
}

export async function findInvite(unit: UnitOfWork, code: string): Promise<InvitesTable> {
  const invite = await selectInvite(unit.db, code);
  if (!invite) throw notFound();
  // Invites of a deleted server are invalid at once, though their rows are swept later.
  await existingServer(unit, invite.server_id);
  return invite;
}

/** Makes the person a member and takes one use; joining again as a member takes none. Returns the server's id. */
export async function joinBy(unit: UnitOfWork, code: string, userId: string): Promise<string> {
  const invite = await findInvite(unit, code);
  // The lock on the server keeps two calls of one person from both finding that they are not a member.
  await unit.lock(serverStream(invite.server_id));
  await existingServer(unit, invite.server_id);
  if (await isMember(unit.db, invite.server_id, userId)) return invite.server_id;
  await join(unit, invite.server_id, userId);
  if (!(await spendInvite(unit.db, code))) throw expired();
  return invite.server_id;
}

export function expired(): Refusal {
  return new Refusal("invite_expired", "This invite has expired or is used up. Ask for a new one.");
}
