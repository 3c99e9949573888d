// Adds a passkey: asks for a name, then the browser asks for fingerprint, face or PIN.
import { Plus } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { limits } from "../../../../protocol/limits.ts";
import { announce } from "../../../../web/ui/browser/announce.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Entry, Problem } from "../../../../web/ui/controls/entry.tsx";
import { TextField } from "../../../../web/ui/controls/text-field.tsx";
import { WayLine } from "../../../../web/ui/controls/way-line.tsx";
import { useAct } from "../../../../web/ui/overlays/act.ts";
import { Dialog } from "../../../../web/ui/overlays/dialog.tsx";
import { Refused } from "../../../../web/ui/overlays/refused.tsx";
import { useTyped } from "../../../../web/ui/overlays/typed.ts";
import { WayToHttps } from "../../../../web/ui/session/way.tsx";
import { fieldProblem } from "../../../../web/ui/words/field-problem.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import { outcomeOf, ownMachineByName, whyNoPasskeys } from "../capable.ts";
import { makePasskey } from "../ceremony.ts";
import styles from "./passkeys.module.css";

interface Props {
  onMade(): void;
  disabledBecause: string | undefined;
}

export function AddPasskey({ onMade, disabledBecause }: Props) {
  const { signIn: words } = useWords();
  const [isOpen, setOpen] = useState(false);
  if (whyNoPasskeys()) return <NoPasskeys />;
  return (
    <>
      <Button icon={Plus} disabledBecause={disabledBecause} onClick={() => setOpen(true)}>
        {words.add}
      </Button>
      {disabledBecause && <p className={styles.why}>{disabledBecause}</p>}
      {isOpen && <AddDialog onMade={onMade} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Shown where no passkey can be created: the way to an address where one can. */
export function NoPasskeys({ label }: { label?: string }) {
  const { signIn: words } = useWords();
  if (whyNoPasskeys() !== "address") return null;
  const address = ownMachineByName();
  if (address) return <AtLocalhost label={label} address={address} />;
  return <WayToHttps {...(label !== undefined && { label })}>{words.noAddress}</WayToHttps>;
}

/** The way on this machine itself, which needs no https. The browser has another session there. */
function AtLocalhost({ label, address }: { label: string | undefined; address: string }) {
  const { signIn: words } = useWords();
  const line = (
    <WayLine>
      {words.notAt(location.hostname)} <a href={address}>{words.openAtLocalhost}</a>
    </WayLine>
  );
  return label === undefined ? line : <Entry label={label}>{line}</Entry>;
}

function AddDialog({ onMade, onClose }: { onMade(): void; onClose(): void }) {
  const { signIn: words } = useWords();
  const act = useAct();
  const name = useTyped("new passkey");
  const [outcome, setOutcome] = useState<ReturnType<typeof outcomeOf>>();
  const saidOf = {
    cancelled: words.notMade,
    known: words.known,
    address: words.noAddress,
    browser: words.noBrowser,
  };
  // A second press during the browser's dialog would abort the first request.
  const isAsking = useRef(false);

  async function make(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (isAsking.current) return;
    isAsking.current = true;
    setOutcome(undefined);
    await act.run(async (over) => {
      try {
        const made = await makePasskey(over, name.value.trim());
        name.forget();
        announce(words.made(made.name));
        onMade();
        // Another dialog may be open by now.
        if (!over.aborted) onClose();
      } catch (failure) {
        const known = outcomeOf(failure);
        if (!known) throw failure;
        setOutcome(known);
      } finally {
        isAsking.current = false;
      }
    });
  }

  return (
    <Dialog title={words.add} onClose={onClose} isKept={act.isBusy}>
      <form className={styles.form} noValidate onSubmit={(event) => void make(event)}>
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={name.value}
          onChange={name.set}
          problem={fieldProblem(act.error, "name")}
          maxLength={limits.passkey_name_max}
          autoComplete="off"
          autoFocus
        />
        <div aria-live="polite">{outcome && <Problem>{saidOf[outcome]}</Problem>}</div>
        {act.error?.fields.length === 0 && <Refused by={act.error} />}
        <div className={styles.buttons}>
          <Button kind="quiet" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button kind="primary" type="submit" isBusy={act.isBusy}>
            {words.make}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
