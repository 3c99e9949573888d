// The preview of a live invite, for people without an account: where it leads, who made it, and when it ends.
import type { z } from "zod";
import { timeText } from "../../protocol/clock.ts";
import { notFound } from "../../protocol/errors.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lowestId } from "../../server/tokens.ts";
import { selectUser } from "../accounts/access.ts";
import { ownAvatarUrl } from "../accounts/avatars.ts";
import { serversById } from "../servers/access.ts";
import { expired, isLive } from "./access.ts";
import type { previewInvite } from "./contract.ts";
import { selectInvite } from "./store.ts";

type Preview = z.infer<(typeof previewInvite.answers)[200]["body"]>;

export async function preview(unit: UnitOfWork, code: string): Promise<Preview> {
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
      icon: ownPicture(unit, server.own_icon),
      member_count: server.member_count,
    },
    inviter:
      inviter?.disabled_at === null
        ? {
            display_name: inviter.display_name,
            avatar: ownPicture(unit, inviter.own_avatar),
          }
        : null,
    expires_at: invite.expires_at === null ? null : timeText(invite.expires_at),
  };
}

/**
 * Returns the address of an own picture, which Hearth serves to everybody; null without one. A derived avatar's address
 * holds the hash of an e-mail address, and `/pictures`, which hides its reader from other hosts, needs a session.
 */
function ownPicture({ house }: UnitOfWork, name: string | null): string | null {
  return name === null ? null : ownAvatarUrl(house, name);
}
