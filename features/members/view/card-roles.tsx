// The roles on a person's card.
import type { OwnServer } from "../../../client/servers.ts";
import { later } from "../../../web/ui/loading/later.tsx";
import { useCopy, useServer } from "../../../web/ui/session/house.tsx";
import type { Role } from "../../roles/contract.ts";
import { useStanding } from "../../roles/view/standing.ts";
import type { Member } from "../contract.ts";
import { useMember } from "./members.ts";
import { RoleChip, RoleChips } from "./role-chips.tsx";

/** For readers who may give roles. */
const GivingRoles = later(async () => (await import("./giving-roles.tsx")).GivingRoles);

export function CardRoles({ serverId, userId }: { serverId: string; userId: string }) {
  const member = useMember(serverId, userId);
  const server = useServer(serverId);
  return server && member ? <Roles server={server} member={member} /> : null;
}

interface Props {
  server: OwnServer;
  member: Member;
}

function Roles({ server, member }: Props) {
  const { user, role_ids } = member;
  const { may, outranks, rank } = useStanding(server);
  const isMe = useCopy((copy) => copy.user.id === user.id);
  const isBelow = ({ is_default, position }: Role) => !is_default && position < rank;
  if (may("MANAGE_SERVER") && (isMe || outranks(user.id, role_ids)) && server.roles.some(isBelow))
    return <GivingRoles server={server} member={member} />;
  const held = server.roles.filter(({ id }) => role_ids.includes(id));
  if (held.length === 0 && server.owner_id !== user.id && !user.bot) return null;
  return (
    <RoleChips server={server} member={member}>
      {held.map((role) => (
        <RoleChip key={role.id} role={role} />
      ))}
    </RoleChips>
  );
}
