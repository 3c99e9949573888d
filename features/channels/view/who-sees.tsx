// The part of the dialog "Create channel" that says who can see a private one.
import type { OwnServer } from "../../../client/servers.ts";
import { ChoiceList } from "../../../web/ui/controls/choice-list.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Member } from "../../members/contract.ts";
import { AddMember } from "../../members/view/add-member.tsx";
import { RoleName } from "../../roles/view/role-name.tsx";
import { useStanding } from "../../roles/view/standing.ts";
import styles from "./who-sees.module.css";

interface Props {
  server: OwnServer;
  roleIds: readonly string[];
  members: readonly Member[];
  /** The number of holders by role id, where it is known. */
  holders: ReadonlyMap<string, number> | undefined;
  onRoles(roleIds: readonly string[]): void;
  onMembers(members: readonly Member[]): void;
}

export function WhoSees({ server, roleIds, members, holders, onRoles, onMembers }: Props) {
  const { channels: words, parts } = useWords();
  const standing = useStanding(server);
  const roles = server.roles.filter(({ is_default }) => !is_default);
  function toggle(id: string) {
    if (members.some(({ user }) => user.id === id)) onMembers(members.filter(({ user }) => user.id !== id));
    else onRoles(roleIds.includes(id) ? roleIds.filter((each) => each !== id) : [...roleIds, id]);
  }
  return (
    <div className={styles.who}>
      <span className={styles.label}>{words.whoSees}</span>
      <ChoiceList
        label={words.whoSees}
        options={[
          ...roles.map((role) => ({
            id: role.id,
            name: <RoleName name={role.name} color={role.color} />,
            end: holders && parts.people(holders.get(role.id) ?? 0),
            isChosen: roleIds.includes(role.id),
            disabledBecause: role.position >= standing.rank ? words.ranksAbove(role.name) : undefined,
          })),
          ...members.map(({ user }) => ({
            id: user.id,
            name: user.display_name,
            mark: <Face id={user.id} name={user.display_name} picture={user.avatar} size={20} />,
            isChosen: true,
          })),
        ]}
        onToggle={toggle}
      />
      <AddMember
        serverId={server.id}
        label={words.addMember}
        fits={({ user, role_ids }) =>
          standing.outranks(user.id, role_ids) && !members.some((each) => each.user.id === user.id)
        }
        onAdd={(member) => onMembers([...members, member])}
      />
    </div>
  );
}
