// The page for people without any server: create one, or join one.
import { type ReactNode, useId } from "react";
import { limits } from "../../../protocol/limits.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Problem } from "../../../web/ui/controls/entry.tsx";
import { Or } from "../../../web/ui/controls/or.tsx";
import { dayName } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./start.module.css";
import { sent, useJoining, useMaking } from "./ways-in.ts";

const nothing = () => {};

export function Start() {
  const { servers: words } = useWords();
  const making = useMaking(nothing);
  const joining = useJoining(nothing);
  return (
    <main className={styles.page} aria-label={words.startTitle}>
      <span aria-hidden="true" className={styles.day}>
        {dayName(new Date()).number}
      </span>
      <div className={styles.body}>
        <h1>{words.startTitle}</h1>
        <p className={styles.lead}>{words.startLead}</p>
        <form noValidate onSubmit={(event) => sent(event, making.make)}>
          <Line
            label={words.newName}
            hint={words.newHint}
            problem={making.problem}
            value={making.name}
            maxLength={limits.server_name_max}
            onChange={making.setName}
          >
            <Button kind="primary" type="submit" isBusy={making.isBusy} disabledBecause={making.wait}>
              {words.makeIt}
            </Button>
          </Line>
        </form>
        <div className={styles.or}>
          <Or>{words.or}</Or>
        </div>
        <form noValidate onSubmit={(event) => sent(event, joining.join)}>
          <Line
            label={words.yourInvite}
            hint={words.inviteHint}
            problem={joining.problem}
            value={joining.pasted}
            onChange={joining.paste}
          >
            <Button type="submit">{words.join}</Button>
          </Line>
        </form>
      </div>
    </main>
  );
}

interface LineProps {
  label: string;
  hint: string;
  problem: ReactNode;
  value: string;
  maxLength?: number;
  onChange(value: string): void;
  /** The button next to it. */
  children: ReactNode;
}

function Line({ label, hint, problem, value, maxLength, onChange, children }: LineProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.line}>
        <input
          id={id}
          value={value}
          maxLength={maxLength}
          autoComplete="off"
          className={styles.input}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={`${id}-said`}
          onChange={(event) => onChange(event.target.value)}
        />
        {children}
      </div>
      <div id={`${id}-said`} aria-live="polite">
        {problem ? <Problem>{problem}</Problem> : <p className={styles.hint}>{hint}</p>}
      </div>
    </>
  );
}
