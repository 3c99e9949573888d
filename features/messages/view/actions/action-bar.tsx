// The action bar over a row: the most used emoji, and the actions on the message.
import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { create } from "zustand";
import { useByTouch } from "../../../../web/ui/browser/by-touch.ts";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { isEscape } from "../../../../web/ui/keys/keys.ts";
import { filled } from "../../../../web/ui/loading/slots.ts";
import { type MenuItem, MenuOverlay } from "../../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import { beforeActions } from "../slots.ts";
import styles from "./actions.module.css";
import { menuItems } from "./menu-items.ts";
import { useVerbs } from "./subject.ts";
import { hasKey } from "./verbs.ts";

interface Props {
  message: Message;
  /** The bar stays while its menu is open. */
  isHeld: boolean;
  onHold(isHeld: boolean): void;
}

/** The rows that want to show a bar, by message id: one under the pointer, another with the focus. */
const useWishes = create<{ ids: readonly string[] }>(() => ({ ids: [] }));

/**
 * One bar is shown at a time, for the latest row to ask; a bar that holds the focus stays. By touch there is the sheet
 * instead: a bar would cover the line above a reply.
 */
export function ActionBar(props: Props) {
  const { isHeld, message } = props;
  const { id } = message;
  const isMine = useWishes(({ ids }) => ids.at(-1) === id);
  const isByTouch = useByTouch(({ is }) => is);
  useLayoutEffect(() => {
    const isInUse = document.activeElement?.closest(`.${styles.bar}`) != null;
    useWishes.setState(({ ids }) => ({ ids: isInUse ? [id, ...ids] : [...ids, id] }));
    return () => useWishes.setState(({ ids }) => ({ ids: ids.filter((each) => each !== id) }));
  }, [id]);
  return (isHeld || (isMine && !isByTouch)) && <Bar message={message} onHold={props.onHold} />;
}

function Bar({ message, onHold }: Omit<Props, "isHeld">) {
  const words = useWords();
  const { applying, inBar, act } = useVerbs(message);
  const bar = useRef<HTMLDivElement>(null);
  const rowOf = (element: HTMLElement) => element.closest("article") ?? element;
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={words.messages.actions}
      className={styles.bar}
      onKeyDown={(event) => walk(event, bar.current)}
    >
      {filled(beforeActions, { message })}
      {inBar.map((verb) => (
        <button
          key={verb.id}
          type="button"
          aria-label={verb.label(words)}
          aria-keyshortcuts={hasKey(verb) ? (verb.spokenKey ?? verb.keyName) : undefined}
          title={hasKey(verb) ? `${verb.label(words)} (${verb.keyName})` : verb.label(words)}
          className={styles.button}
          onClick={({ currentTarget: opener }) => act(verb, { opener, row: rowOf(opener), isAtOnce: false })}
        >
          <Icon of={verb.icon} size={16} />
        </button>
      ))}
      <More
        items={(opener) =>
          menuItems(applying, words, (verb) => act(verb, { opener, row: rowOf(opener), isAtOnce: false }))
        }
        onHold={onHold}
      />
    </div>
  );
}

function More({
  items,
  onHold,
}: {
  items(opener: HTMLElement): readonly MenuItem[];
  onHold: Props["onHold"];
}) {
  const { messages: words } = useWords();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const become = (isOpen: boolean) => {
    setOpen(isOpen);
    onHold(isOpen);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={words.more}
        title={words.more}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={styles.button}
        onClick={() => become(!isOpen)}
      >
        <Icon of={Ellipsis} size={16} />
      </button>
      {isOpen && button.current && (
        <MenuOverlay
          label={words.actions}
          items={items(button.current)}
          anchor={button}
          onClose={() => become(false)}
        />
      )}
    </>
  );
}

/** Arrow keys move along the bar, as in any toolbar; Escape returns to the row. */
function walk(event: KeyboardEvent, bar: HTMLElement | null): void {
  if (!bar?.contains(event.target as Node)) return;
  if (isEscape(event)) {
    event.stopPropagation();
    bar.closest<HTMLElement>("article")?.focus();
    return;
  }
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  // In a narrow room the emoji are hidden.
  const buttons = [...bar.querySelectorAll("button")].filter((button) => button.getClientRects().length > 0);
  const direction = getComputedStyle(bar).direction === "rtl" ? -step : step;
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(at + direction + buttons.length) % buttons.length]?.focus();
}
