// A member in the settings: their roles, and the actions on them.
import { Ban, Crown, Ellipsis, LogOut, Shield } from "lucide-react";
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Item } from "../../../web/ui/controls/item-list.tsx";
import { MenuButton, type MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { dateOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { RoleName } from "../../roles/view/role-name.tsx";
import { useStanding } from "../../roles/view/standing.ts";
import type { Member } from "../contract.ts";
import { HandOver } from "./hand-over.tsx";
import { MemberRoles } from "./member-roles.tsx";
import { Removal } from "./removal.tsx";
import styles from "./settings-members.module.css";

interface Props {
  server: OwnServer;
  member: Member;
}

type Doing = "roles" | "kick" | "ban" | "hand over";

export function MemberItem({ server, member }: Props) {
  const { memberSettings: words } = useWords();
  const [doing, setDoing] = useState<Doing>();
  const items = useActions(server, member, setDoing);
  const { user } = member;
  const held = server.roles.filter(({ id }) => member.role_ids.includes(id));
  const joined = dateOf(new Date(member.joined_at));
  return (
    <Item
      face={<Face id={user.id} name={user.display_name} picture={user.avatar} size={36} />}
      title={
        <>
          {user.display_name}
          {user.id === server.owner_id && <span className={styles.tag}>{words.isOwner}</span>}
          {user.bot && <span className={styles.tag}>{words.bot}</span>}
        </>
      }
      about={
        <>
          {words.about(user.username, joined)}
          {held.length > 0 && (
            <span className={styles.roles}>
              {held.map(({ id, name, color }) => (
                <RoleName key={id} name={name} color={color} />
              ))}
            </span>
          )}
        </>
      }
      actions={
        items.length > 0 && (
          <MenuButton label={words.actions(user.display_name)} icon={Ellipsis} items={items} />
        )
      }
    >
      {doing && (
        <Done
          server={server}
          member={member}
          doing={doing}
          onClose={() => setDoing((now) => (now === doing ? undefined : now))}
        />
      )}
    </Item>
  );
}

/** The reader's actions on this member: roles also for themselves, all others only for members who rank below. */
function useActions(server: OwnServer, { user, role_ids }: Member, onChoose: (doing: Doing) => void) {
  const { memberSettings: words } = useWords();
  const standing = useStanding(server);
  const ownId = useCopy((copy) => copy.user.id);
  const isSelf = user.id === ownId;
  const isBelow = standing.outranks(user.id, role_ids);
  const items: MenuItem[] = [];
  if (standing.may("MANAGE_SERVER") && (isBelow || isSelf))
    items.push({ id: "roles", label: words.roles, icon: Shield, onChoose: () => onChoose("roles") });
  if (standing.isOwner && !isSelf && !user.bot)
    items.push({
      id: "hand over",
      label: words.handOver,
      icon: Crown,
      isDanger: true,
      isApart: items.length > 0,
      onChoose: () => onChoose("hand over"),
    });
  // Items that cannot be undone alone stand together, below the rest.
  const apart = items.length > 0 && !items.some(({ isApart }) => isApart);
  if (standing.may("KICK_MEMBERS") && isBelow)
    items.push({
      id: "kick",
      label: words.kick,
      icon: LogOut,
      isDanger: true,
      isApart: apart,
      onChoose: () => onChoose("kick"),
    });
  if (standing.may("BAN_MEMBERS") && isBelow)
    items.push({ id: "ban", label: words.ban, icon: Ban, isDanger: true, onChoose: () => onChoose("ban") });
  return items;
}

function Done({ server, member, doing, onClose }: Props & { doing: Doing; onClose(): void }) {
  if (doing === "roles") return <MemberRoles server={server} member={member} onClose={onClose} />;
  if (doing === "hand over") return <HandOver server={server} to={member} onClose={onClose} />;
  return <Removal server={server} user={member.user} isBan={doing === "ban"} onClose={onClose} />;
}
