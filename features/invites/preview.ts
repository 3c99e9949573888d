// The preview of a live invite, for people without an account: where it leads, who made it, and when it ends.
import type { z } from "zod";
import { timeText } from "../../protocol/clock.ts";
import { notFound } from "../../protocol/errors.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lowestId } from "../../server/tokens.ts";
import { avatarOf, selectUser } from "../accounts/access.ts";
import { serversById } from "../servers/access.ts";
import { expired, isLive } from "./access.ts";
import type { previewInvite } from "./contract.ts";
import { selectInvite } from "./store.ts";

type Preview = z.infer<(typeof previewInvite.answers)[200]["body"]>;

export async function preview(unit: UnitOfWork, code: string, publicUrl: string): Promise<Preview> {
  const invite = await selectInvite(unit.db, code);
  // A code that nobody has takes the same look-ups as one that ended, so its time tells nothing.
  const { server_id, inviter_id } = invite ?? { server_id: lowestId, inviter_id: lowestId };
  const server = (await serversById(unit, [server_id])).get(server_id);
  const inviter = await selectUser(unit.db, inviter_id);
  if (!invite || !server) throw notFound();
  if (!isLive(invite)) throw expired();
  return {
    server: {
      name: server.name,
      icon: ownPicture(server.icon, publicUrl),
      member_count: server.member_count,
    },
    inviter:
      inviter?.disabled_at === null
        ? {
            display_name: inviter.display_name,
            avatar: ownPicture(avatarOf(unit.house, inviter), publicUrl),
          }
        : null,
    expires_at: invite.expires_at === null ? null : timeText(invite.expires_at),
  };
}

/**
 * Returns the address of a picture that this Hearth serves to everybody; null for any other. A derived avatar's address
 * holds the hash of an e-mail address, and `/pictures`, which hides its reader from other hosts, needs a session.
 */
function ownPicture(address: string | null, publicUrl: string): string | null {
  const folder = `${publicUrl}/avatars/`;
  const isOwn = address?.startsWith(folder) && /^[0-9a-f]{32}\.webp$/.test(address.slice(folder.length));
  return isOwn ? address : null;
}
