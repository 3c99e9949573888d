// A confirmation before something is lost: names the loss, labels its button with the action, stays open on failure.
import { type ReactNode, useState } from "react";
import { Button } from "../controls/button.tsx";
import { TextField } from "../controls/text-field.tsx";
import { useWords } from "../words/words.ts";
import { useAct } from "./act.ts";
import styles from "./confirm.module.css";
import { Dialog } from "./dialog.tsx";
import { Refused } from "./refused.tsx";

interface Props {
  title: string;
  /** The explanation of what is lost and what stays. */
  children: ReactNode;
  /** The label of the button, which names its action: "Delete role". */
  button: string;
  /** A name that has to be typed first. */
  typed?: string;
  /** Nothing is lost, so the button looks ordinary. */
  isHarmless?: boolean;
  onConfirm(): Promise<unknown>;
  onClose(): void;
}

export function Confirm({ title, children, button, typed, isHarmless, onConfirm, onClose }: Props) {
  const { parts: words } = useWords();
  const act = useAct();
  // Typed anew each time the dialog opens, unlike other texts: with the name filled in, one Enter would delete.
  const [given, setGiven] = useState("");
  const isUntyped = typed !== undefined && given.trim() !== typed.trim();
  return (
    <Dialog title={title} onClose={onClose} isKept={act.isBusy}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          // A page of settings is a form, too, and React would bubble this event to it.
          event.stopPropagation();
          event.preventDefault();
          if (!act.isBusy && !isUntyped) void act.run(() => onConfirm(), onClose);
        }}
      >
        {children}
        {typed !== undefined && (
          <TextField
            label={words.typeName(typed)}
            value={given}
            onChange={setGiven}
            autoComplete="off"
            autoFocus
          />
        )}
        <Refused by={act.error} />
        <div className={styles.buttons}>
          <Button kind="quiet" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            kind={isHarmless ? "primary" : "dangerFilled"}
            type="submit"
            isBusy={act.isBusy}
            disabledBecause={isUntyped ? words.typeNameFirst : undefined}
          >
            {button}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
