// The roles on a person's card: readers who may give them remove one there, and give one by a tick in the list of all.
import { Plus, X } from "lucide-react";
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { ChoiceList } from "../../../web/ui/controls/choice-list.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { RoleName } from "../../roles/view/role-name.tsx";
import type { Member } from "../contract.ts";
import { useHeldRoles } from "./held-roles.ts";
import { colouredRole, useMember } from "./members.ts";
import styles from "./profile-card.module.css";

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
  const { members: words } = useWords();
  const [isAdding, setAdding] = useState(false);
  const roles = useHeldRoles(server, member);
  const held = server.roles.filter(({ id }) => roles.heldIds.includes(id));
  const isOwner = server.owner_id === member.user.id;
  const mayAdd = server.roles.some(roles.mayGive);
  if (held.length === 0 && !isOwner && !member.user.bot && !mayAdd) return null;
  return (
    <>
      <ul className={styles.chips} aria-label={words.roles}>
        {isOwner && <li className={styles.chip}>{words.owner}</li>}
        {member.user.bot && <li className={styles.chip}>{words.bot}</li>}
        {held.map((role) => (
          <li key={role.id} className={styles.chip}>
            {colouredRole([role], [role.id]) && (
              <i className={styles.swatch} style={{ "--user": role.color }} aria-hidden="true" />
            )}
            {role.name}
            {roles.mayGive(role) && (
              <button
                type="button"
                className={styles.remove}
                aria-label={words.removeRole(role.name)}
                title={words.removeRole(role.name)}
                onClick={() => roles.toggle(role.id)}
              >
                <Icon of={X} size={14} />
              </button>
            )}
          </li>
        ))}
        {mayAdd && (
          <li>
            <button
              type="button"
              className={styles.add}
              aria-label={words.addRole}
              aria-expanded={isAdding}
              title={words.addRole}
              onClick={() => setAdding(!isAdding)}
            >
              <Icon of={Plus} size={14} />
            </button>
          </li>
        )}
      </ul>
      {mayAdd && isAdding && <Ticks server={server} member={member} roles={roles} />}
      <Refused by={roles.act.error} />
    </>
  );
}

/** All roles of the server: one press gives the role or takes it. */
function Ticks({ server, member, roles }: Props & { roles: ReturnType<typeof useHeldRoles> }) {
  const { memberSettings: words } = useWords();
  const options = server.roles
    .filter(({ is_default }) => !is_default)
    .map((role) => ({
      id: role.id,
      name: <RoleName name={role.name} color={role.color} />,
      isChosen: roles.heldIds.includes(role.id),
      disabledBecause: roles.mayGive(role) ? undefined : words.roleAbove,
    }));
  return (
    <div className={styles.ticks}>
      <ChoiceList label={words.rolesOf(member.user.display_name)} options={options} onToggle={roles.toggle} />
    </div>
  );
}
