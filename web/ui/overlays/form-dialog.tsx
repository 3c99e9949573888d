// A dialog with a form. On failure it stays open with the typed values.
import { type FormEvent, type MouseEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "../controls/button.tsx";
import { useWords } from "../words/words.ts";
import type { Act } from "./act.ts";
import styles from "./confirm.module.css";
import { Dialog } from "./dialog.tsx";
import { Refused } from "./refused.tsx";

interface Props {
  title: string;
  button: string;
  act: Act;
  disabledBecause?: string | undefined;
  /** The consequence, beside the buttons. */
  note?: string | undefined;
  /** True if nothing is lost with what was typed, so that no way out asks first. */
  isLight?: boolean;
  /** For a single list. */
  isSlim?: boolean;
  /** True if the sender cannot undo it, so the button looks like those that delete. */
  isFinal?: boolean;
  onSend(): void;
  onClose(): void;
  children: ReactNode;
}

/** Escape and the close button ask first when something was typed; "Cancel" does not. */
export function FormDialog(props: Props) {
  const { title, act, disabledBecause, isSlim = false, isLight = false, onSend, onClose, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const [isTouched, setTouched] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const stay = () => {
    setAsking(false);
    form.current?.querySelector<HTMLElement>("input, textarea, select")?.focus();
  };
  const leave = () => {
    if (isAsking) stay();
    else if (isTouched && !isLight) setAsking(true);
    else onClose();
  };
  const notice = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest("[role=switch]")) setTouched(true);
  };
  const send = (event: FormEvent) => {
    // A page of settings is a form, too, and React would bubble this event to it.
    event.stopPropagation();
    event.preventDefault();
    if (!act.isBusy && disabledBecause === undefined) onSend();
  };
  return (
    <Dialog title={title} onClose={leave} isSlim={isSlim} isKept>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys on a switch are clicks, too. */}
      <form
        ref={form}
        className={styles.form}
        noValidate
        onInput={() => setTouched(true)}
        onClick={notice}
        onSubmit={send}
      >
        {children}
        <Refused by={act.error} />
        {isAsking ? <Asking onStay={stay} onLeave={onClose} /> : <Buttons {...props} />}
      </form>
    </Dialog>
  );
}

function Buttons({ button, act, disabledBecause, note, isFinal = false, onClose }: Props) {
  const { parts: words } = useWords();
  return (
    <div className={styles.buttons}>
      {note !== undefined && (
        <p role="status" className={styles.note}>
          {note}
        </p>
      )}
      <Button kind="quiet" onClick={onClose}>
        {words.cancel}
      </Button>
      <Button
        kind={isFinal ? "dangerFilled" : "primary"}
        type="submit"
        isBusy={act.isBusy}
        disabledBecause={disabledBecause}
      >
        {button}
      </Button>
    </div>
  );
}

function Asking({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
  const { parts: words } = useWords();
  return (
    <div role="alert" className={styles.buttons}>
      <p>{words.typedIsLost}</p>
      <Button kind="danger" onClick={onLeave}>
        {words.discardTyped}
      </Button>
      <Button kind="primary" autoFocus onClick={onStay}>
        {words.goOnTyping}
      </Button>
    </div>
  );
}
