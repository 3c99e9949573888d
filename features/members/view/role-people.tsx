// The people who hold a role, on its page: whoever may give it finds members by name, and takes it from them.
import type { ReactNode } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Item, ItemList, Nothing } from "../../../web/ui/controls/item-list.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { Loaded } from "../../../web/ui/session/fetched.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useInOrder } from "../../../web/ui/session/in-order.ts";
import { More } from "../../../web/ui/session/pages.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Role } from "../../roles/contract.ts";
import { useStanding } from "../../roles/view/standing.ts";
import type { Member } from "../contract.ts";
import { AddMember } from "./add-member.tsx";
import { giveRoles } from "./give-roles.ts";
import { useHolderPages } from "./holders.ts";
import styles from "./settings-members.module.css";

interface Props {
  server: OwnServer;
  role: Role;
}

export function RolePeople({ server, role }: Props) {
  const { memberSettings: words } = useWords();
  const pages = useHolderPages(server.id, role.id);
  const { mayChange, set, act } = useGiving(server, role);
  const holds = (member: Member) => pages.value?.items.some(({ user }) => user.id === member.user.id);
  return (
    <Entry label={words.holders}>
      <Loaded of={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing>{words.noHolders}</Nothing>
          ) : (
            <ItemList label={words.holdersOf(role.name)}>
              {items.map((member) => (
                <Holder key={member.user.id} member={member}>
                  {mayChange(member) && (
                    <Button
                      isSmall
                      aria-label={words.removeFrom(role.name, member.user.display_name)}
                      onClick={() => set(member, false)}
                    >
                      {words.removeHolder}
                    </Button>
                  )}
                </Holder>
              ))}
            </ItemList>
          )
        }
      </Loaded>
      <More of={pages} />
      {mayChange() && (
        <div className={styles.adding}>
          <AddMember
            serverId={server.id}
            label={words.addHolder}
            fits={(member) => mayChange(member) && !member.role_ids.includes(role.id) && !holds(member)}
            onAdd={(member) => set(member, true)}
          />
        </div>
      )}
      <Refused by={act.error} />
    </Entry>
  );
}

function Holder({ member: { user }, children }: { member: Member; children: ReactNode }) {
  return (
    <Item
      face={<Face id={user.id} name={user.display_name} picture={user.avatar} size={36} />}
      title={user.display_name}
      about={user.username}
      actions={children}
    />
  );
}

/** Gives the role and takes it, one call after the other. */
function useGiving(server: OwnServer, role: Role) {
  const { memberSettings: words } = useWords();
  const { chat, members } = useHouse();
  const standing = useStanding(server);
  const ownId = useCopy((copy) => copy.user.id);
  const act = useAct();
  const inOrder = useInOrder();
  const mayGive = standing.may("MANAGE_SERVER") && role.position < standing.rank;
  async function send({ user, role_ids }: Member, isOn: boolean) {
    // A call replaces all roles of a member. A role deleted meanwhile cannot be held.
    const others = role_ids.filter((id) => id !== role.id && server.roles.some((each) => each.id === id));
    const after = isOn ? [...others, role.id] : others;
    const isDone = await act.run(() => giveRoles(chat, server.id, user.id, after));
    if (isDone) announce((isOn ? words.given : words.taken)(role.name, user.display_name));
  }
  return {
    act,
    /** True if the reader may give the role, or give it to this member. */
    mayChange: (member?: Member) =>
      mayGive && (!member || member.user.id === ownId || standing.outranks(member.user.id, member.role_ids)),
    set: (member: Member, isOn: boolean) =>
      inOrder(() => send(members.get(server.id, member.user.id) ?? member, isOn)),
  };
}
