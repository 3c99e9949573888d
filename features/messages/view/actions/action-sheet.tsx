// The actions on a message as a bottom sheet, for touch.
import { useRef } from "react";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { filled } from "../../../../web/ui/loading/slots.ts";
import { Sheet } from "../../../../web/ui/overlays/sheet.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import { usePlain } from "../model/plain.ts";
import { beforeActions } from "../slots.ts";
import styles from "./actions.module.css";
import { useVerbs } from "./subject.ts";

export function ActionSheet({ message, onClose }: { message: Message; onClose(): void }) {
  const words = useWords();
  const { applying, act } = useVerbs(message);
  const line = usePlain(message);
  const here = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={here} hidden />
      <Sheet label={words.messages.actions} onClose={onClose}>
        <p dir="auto" className={styles.about}>
          <b>{message.author.display_name}</b>{" "}
          {message.content === ""
            ? words.messages.files(message.attachments.length)
            : line || message.content}
        </p>
        <div className={styles.emoji}>
          {filled(beforeActions, { message, isLarge: true, onDone: onClose })}
        </div>
        <ul className={styles.list}>
          {applying.map((verb) => (
            <li key={verb.id}>
              <button
                type="button"
                className={classNames(styles.line, verb.isDanger && styles.danger)}
                onClick={() => {
                  const row = here.current?.closest("article");
                  onClose();
                  if (row) act(verb, { row, opener: row, isAtOnce: false });
                }}
              >
                <Icon of={verb.icon} />
                {verb.label(words)}
              </button>
            </li>
          ))}
        </ul>
      </Sheet>
    </>
  );
}
