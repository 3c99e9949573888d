// A member in the list: avatar, presence, name in the colour of their role, and status text; and their menu.
import { UserRound } from "lucide-react";
import { type MouseEvent, type RefObject, useRef, useState } from "react";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { Face } from "../../../web/ui/controls/face.tsx";
import { PresenceMark } from "../../../web/ui/controls/presence-mark.tsx";
import { MenuOverlay } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import type { Person } from "./groups.ts";
import styles from "./person-row.module.css";
import { memberMenu } from "./slots.ts";

interface Props {
  serverId: string;
  person: Person;
  /** True if this row is the list's only tab stop. */
  isStop: boolean;
  onOpen(row: HTMLElement): void;
}

export function PersonRow({ serverId, person, isStop, onOpen }: Props) {
  const row = useRef<HTMLButtonElement>(null);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <RowButton
        row={row}
        person={person}
        isStop={isStop}
        onOpen={onOpen}
        onMenu={(event) => {
          event.preventDefault();
          setAsking(true);
        }}
      />
      {isAsking && (
        <RowMenu
          serverId={serverId}
          user={person.member.user}
          anchor={row}
          onOpen={onOpen}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface MenuProps extends Pick<Props, "serverId" | "onOpen"> {
  user: User;
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
}

/** The card first, and then the items of later features. */
function RowMenu({ serverId, user, anchor, onOpen, onClose }: MenuProps) {
  const { members: words } = useWords();
  const profile = {
    id: "profile",
    label: words.profile,
    icon: UserRound,
    onChoose: () => anchor.current && onOpen(anchor.current),
  };
  return (
    <MenuOverlay
      label={words.menuOf(user.display_name)}
      items={menuOf(memberMenu, { user, serverId }, [profile])}
      anchor={anchor}
      placement="bottom start"
      onClose={onClose}
    />
  );
}

interface ButtonProps extends Omit<Props, "serverId"> {
  row: RefObject<HTMLButtonElement | null>;
  onMenu(event: MouseEvent): void;
}

function RowButton({ row, person, isStop, onOpen, onMenu }: ButtonProps) {
  const { members: words, accounts } = useWords();
  const { member, status, statusText, colour } = person;
  const { user } = member;
  return (
    <button
      ref={row}
      type="button"
      data-person={user.id}
      tabIndex={isStop ? 0 : -1}
      aria-haspopup="dialog"
      className={classNames(styles.person, status === "offline" && styles.offline)}
      onClick={(event) => onOpen(event.currentTarget)}
      onContextMenu={onMenu}
    >
      <Face id={user.id} name={user.display_name} picture={user.avatar} size={28}>
        <PresenceMark status={status} />
      </Face>
      <span className={styles.text}>
        <b
          className={classNames(styles.name, colour && "lit")}
          style={colour ? { "--user": colour } : undefined}
        >
          {user.display_name}
        </b>
        {user.bot && <span className={styles.tag}>{words.bot}</span>}
        <span className="visually-hidden">({accounts.presence[status]})</span>
        {statusText && <span className={styles.status}>{statusText}</span>}
      </span>
    </button>
  );
}
