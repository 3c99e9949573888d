// The sheet of keyboard shortcuts, where they can be changed. The settings show the same list.
import { Fragment, type KeyboardEvent, useState } from "react";
import { Button } from "../ui/controls/button.tsx";
import { Problem } from "../ui/controls/entry.tsx";
import { SendKey } from "../ui/controls/send-key.tsx";
import { Switch } from "../ui/controls/switch.tsx";
import { rebind, resetKeys, useCommands, useLetters } from "../ui/keys/key-choices.ts";
import { type Command, keysIn, keysOf } from "../ui/keys/keys.ts";
import { readable } from "../ui/keys/readable-keys.ts";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { useWords } from "../ui/words/words.ts";
import styles from "./key-sheet.module.css";

export function KeySheet({ onClose }: { onClose(): void }) {
  const { shell: words } = useWords();
  return (
    <Dialog title={words.keysTitle} onClose={onClose}>
      <KeyList />
    </Dialog>
  );
}

export function KeyList() {
  const { shell: words } = useWords();
  const commands = useCommands();
  const [changing, setChanging] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [letters, setLetters] = useLetters();
  const all = useWords();

  function take({ id }: Command, event: KeyboardEvent) {
    const keys = keysIn(event);
    if (keys === undefined || event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    if (keys === "Escape") return setChanging(undefined);
    const other = commands.find((each) => each.id !== id && keysOf(each) === keys);
    if (other) return setProblem(words.keysTaken(other.name(all)));
    if (!isFree(keys, event)) return setProblem(words.keysNeedModifier);
    rebind(id, keys);
    setProblem(undefined);
    setChanging(undefined);
  }

  return (
    <div className={styles.sheet}>
      <div className={styles.said} aria-live="polite">
        <p className={styles.lead}>{changing === undefined ? words.keysLead : words.keysPress}</p>
        {problem && <Problem>{problem}</Problem>}
      </div>
      <ul className={styles.list}>
        {commands.map((each) => (
          <li key={each.id} className={styles.row}>
            {/* Hidden from screen readers: the button's name begins with it, so it would be read twice. */}
            <span aria-hidden="true">{each.name(all)}</span>
            <button
              type="button"
              aria-label={words.keysChange(each.name(all), readable(keysOf(each)).join(" "))}
              aria-pressed={changing === each.id}
              className={styles.keys}
              onClick={() => {
                setProblem(undefined);
                setChanging(each.id);
              }}
              onBlur={() => setChanging(undefined)}
              onKeyDown={(event) => changing === each.id && take(each, event)}
            >
              {readable(keysOf(each)).map((key, at) => (
                <Fragment key={key}>
                  {/* As in the name of the button: who says what they see reaches it. */}
                  {at > 0 && " "}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.letters}>
        <Switch label={words.keysLetters} isOn={letters} onChange={setLetters} />
        <SendKey />
      </div>
      <Button isSmall onClick={resetKeys}>
        {words.keysReset}
      </Button>
    </div>
  );
}

/** True if nobody types with these keys: a character needs more than Shift. */
function isFree(keys: string, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 ? ctrlKey || metaKey || altKey : /\+|^F\d+$/.test(keys);
}
