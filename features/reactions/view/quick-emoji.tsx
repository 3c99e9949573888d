// The user's recent emoji, one press each, in front of a message's actions.
import { permission } from "../../../protocol/permissions.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { usedEmoji } from "../../../web/ui/emoji/used.ts";
import { useHouse, useMayIn } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Message } from "../../messages/contract.ts";
import { isFull, toggle } from "./choosing.ts";
import styles from "./reactions.module.css";

const atFirst = ["👍", "🙏", "✅", "😂", "👀"];

interface Props {
  message: Message;
  isLarge?: boolean;
  onDone?: () => void;
}

export function QuickEmoji({ message, isLarge = false, onDone }: Props) {
  const words = useWords();
  const house = useHouse();
  if (!useMayIn(message.channel_id, permission.SEND_MESSAGES)) return null;
  const used = usedEmoji() ?? [];
  const most = isLarge ? 5 : 3;
  const quick = [...new Set([...used, ...atFirst])].slice(0, most);
  return (
    <>
      {quick.map((emoji) => {
        const isOver = isFull(message) && !message.reactions.some((each) => each.emoji === emoji);
        return (
          <button
            key={emoji}
            type="button"
            aria-label={words.reactions.reactWith(emoji)}
            aria-disabled={isOver || undefined}
            title={isOver ? words.reactions.full : words.reactions.reactWith(emoji)}
            className={classNames(styles.quick, isLarge && styles.large)}
            onClick={() => {
              if (isOver) return;
              onDone?.();
              toggle(message, emoji, house, words);
            }}
          >
            {emoji}
          </button>
        );
      })}
      {!isLarge && <span className={styles.between} />}
    </>
  );
}
