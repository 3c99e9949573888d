// The marks behind a name in the list of members: the owner's crown, and badges.
import { Crown } from "lucide-react";
import { EmojiOrPicture } from "../../../web/ui/controls/emoji-or-picture.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Badge } from "../../accounts/contract.ts";
import styles from "./person-row.module.css";

/** Limit of badges in a row; a person's card shows all. */
const mostBadges = 3;

/** Hidden from screen readers, for which the row names them. */
export function PersonMarks({ isOwner, badges }: { isOwner: boolean; badges: readonly Badge[] }) {
  const { members: words } = useWords();
  return (
    <span className={styles.marks} aria-hidden="true">
      {isOwner && (
        <span title={words.owner}>
          <Icon of={Crown} size={14} />
        </span>
      )}
      {badges.slice(0, mostBadges).map(({ id, name, icon }) => (
        <span key={id} title={name}>
          <EmojiOrPicture of={icon} />
        </span>
      ))}
    </span>
  );
}
