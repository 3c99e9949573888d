// The roles on a person's card for readers who may give them: they remove one there, and give one by a tick in a list.
import { Plus, X } from "lucide-react";
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { ChoiceList } from "../../../web/ui/controls/choice-list.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { RoleName } from "../../roles/view/role-name.tsx";
import type { Member } from "../contract.ts";
import styles from "./giving-roles.module.css";
import { useHeldRoles } from "./held-roles.ts";
import { RoleChip, RoleChips } from "./role-chips.tsx";

interface Props {
  server: OwnServer;
  member: Member;
}

export function GivingRoles({ server, member }: Props) {
  const { members: words } = useWords();
  const [isAdding, setAdding] = useState(false);
  const roles = useHeldRoles(server, member);
  const held = server.roles.filter(({ id }) => roles.heldIds.includes(id));
  return (
    <RoleChips
      server={server}
      member={member}
      below={
        <>
          {isAdding && <Ticks server={server} member={member} roles={roles} />}
          <Refused by={roles.act.error} />
        </>
      }
    >
      {held.map((role) => (
        <RoleChip key={role.id} role={role}>
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
        </RoleChip>
      ))}
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
    </RoleChips>
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
