// The reactions to a message: counts, the user's own, names, and a button to add another.
import { SmilePlus } from "lucide-react";
import { useEffect, useState } from "react";
import { permission } from "../../../protocol/permissions.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { focusAfter } from "../../../web/ui/browser/focus-after.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { EmojiPicker } from "../../../web/ui/emoji/emoji-picker.tsx";
import { useHouse, useMayIn } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Message } from "../../messages/contract.ts";
import { isFull, toggle, useChoosing } from "./choosing.ts";
import { Pill } from "./pill.tsx";
import styles from "./reactions.module.css";

/** Beyond this number of emoji the rest is folded. */
const mostShown = 8;

export function Reactions({ message }: { message: Message }) {
  const isChoosing = useChoosing(({ messageId }) => messageId === message.id);
  return (
    <>
      {message.reactions.length > 0 && <Row message={message} />}
      {isChoosing && <Choice message={message} />}
    </>
  );
}

function Row({ message }: { message: Message }) {
  const { reactions: words } = useWords();
  const [isWhole, setWhole] = useState(false);
  const canReact = useMayIn(message.channel_id, permission.SEND_MESSAGES);
  const shown = isWhole ? message.reactions : message.reactions.slice(0, mostShown);
  const beyond = message.reactions.length - mostShown;
  return (
    <ul aria-label={words.reactions} className={styles.row}>
      {shown.map((reaction) => (
        <li key={reaction.emoji}>
          <Pill message={message} reaction={reaction} canReact={canReact} />
        </li>
      ))}
      {beyond > 0 && (
        <li>
          <button
            type="button"
            aria-label={isWhole ? words.showFewer : words.showMore(beyond)}
            className={styles.pill}
            onClick={({ currentTarget }) => {
              // The first emoji that was folded, or the button that unfolds them.
              focusAfter(currentTarget.closest("ul"), `li:nth-child(${mostShown + 1}) button`);
              setWhole(!isWhole);
            }}
          >
            {isWhole ? "−" : "+"}
            {beyond}
          </button>
        </li>
      )}
      {canReact && (
        <li>
          <AddButton message={message} />
        </li>
      )}
    </ul>
  );
}

function AddButton({ message }: { message: Message }) {
  const { reactions: words } = useWords();
  const start = useChoosing((choosing) => choosing.start);
  const isOff = isFull(message);
  return (
    <button
      type="button"
      aria-label={words.add}
      aria-disabled={isOff || undefined}
      title={isOff ? words.full : words.add}
      className={classNames(styles.pill, styles.add)}
      onClick={({ currentTarget }) => !isOff && start(message.id, currentTarget)}
    >
      <Icon of={SmilePlus} size={16} />
    </button>
  );
}

function Choice({ message }: { message: Message }) {
  const house = useHouse();
  const words = useWords();
  const { anchor, stop } = useChoosing();
  // The room was left with its picker open: it is not opened again by coming back.
  const [isLeft] = useState(() => !anchor?.isConnected);
  useEffect(() => {
    if (isLeft) stop();
  }, [isLeft, stop]);
  const [place] = useState(() => placeOf(message, anchor));
  if (isLeft) return null;
  return (
    <EmojiPicker anchor={place} onPick={(emoji) => toggle(message, emoji, house, words)} onClose={stop} />
  );
}

/** The opener; or the row, where the pointer had left it, and the opener with it, before the picker was loaded. */
function placeOf({ id }: Message, opener: HTMLElement | undefined) {
  let placed: HTMLElement | null | undefined;
  return {
    get current() {
      placed ??= opener?.isConnected
        ? opener
        : document.querySelector<HTMLElement>(`[data-message-id="${id}"]`);
      return placed;
    },
  };
}
