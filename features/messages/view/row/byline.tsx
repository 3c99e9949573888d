// The author of a message: picture, name in the colour of a role, and a label if it is not a person.
import type { MouseEvent } from "react";
import { Face } from "../../../../web/ui/controls/face.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { useRoleColour } from "../../../members/view/members.ts";
import { personButton } from "../../../members/view/open-profile.tsx";
import type { Message } from "../../contract.ts";
import styles from "./row.module.css";

interface Props {
  author: Pick<Message["author"], "id" | "display_name" | "avatar" | "kind">;
  serverId: string | null;
}

export function Byline({ author, serverId }: Props) {
  const { messages: words } = useWords();
  const { id, display_name, kind } = author;
  return (
    <header className={styles.by}>
      <span className={styles.small}>
        <AuthorFace author={author} size={20} />
      </span>
      {kind === "webhook" ? (
        <span className={styles.name}>{display_name}</span>
      ) : (
        <MemberName id={id} name={display_name} isPlain={kind === "bot"} serverId={serverId} />
      )}
      {kind !== "user" && <span className={styles.tag}>{words[kind]}</span>}
    </header>
  );
}

/** Clickable like the name beside it, but hidden from keyboards and screen readers, which have the name. */
export function AuthorFace({ author, size }: { author: Props["author"]; size: number }) {
  const { id, display_name, avatar, kind } = author;
  function press({ currentTarget }: MouseEvent<HTMLElement>) {
    const name = currentTarget.closest("article")?.querySelector<HTMLElement>(`button.${styles.name}`);
    name?.focus({ preventScroll: true });
    name?.click();
  }
  const isHook = kind === "webhook";
  return (
    <span
      className={isHook ? styles.hueless : styles.pressed}
      onClick={isHook ? undefined : press}
      aria-hidden="true"
    >
      <Face id={id} name={display_name} picture={avatar} size={size} />
    </span>
  );
}

interface NameProps {
  id: string;
  name: string;
  /** Bots get no role colour. */
  isPlain: boolean;
  serverId: string | null;
}

/** Opens the person's card or menu. Reached from its row with Enter: the whole list is one tab stop. */
function MemberName({ id, name, isPlain, serverId }: NameProps) {
  const known = useRoleColour(serverId, id);
  const colour = isPlain ? undefined : known;
  return (
    <button {...personButton({ serverId, userId: id }, name)} tabIndex={-1} className={styles.name}>
      {/* Set explicitly: a button inherits the colour of its surroundings. */}
      <span className={colour && "lit"} style={colour ? { "--user": colour } : undefined}>
        {name}
      </span>
    </button>
  );
}
