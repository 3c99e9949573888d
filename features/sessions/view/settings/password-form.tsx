// Settings: changing the password, in a form of its own.
import { type FormEvent, type ReactNode, useState } from "react";
import { limits } from "../../../../protocol/limits.ts";
import { announce } from "../../../../web/ui/browser/announce.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Entry } from "../../../../web/ui/controls/entry.tsx";
import { useHold } from "../../../../web/ui/navigation/leaving.ts";
import { useAct } from "../../../../web/ui/overlays/act.ts";
import { Refused } from "../../../../web/ui/overlays/refused.tsx";
import { useCopy } from "../../../../web/ui/session/house.tsx";
import { fieldProblem } from "../../../../web/ui/words/field-problem.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import { changePassword } from "../../calls.ts";
import { PasswordField } from "../password-field.tsx";
import styles from "./password.module.css";

const empty = { current: "", fresh: "" };

/** Passkeys that stay when the password changes; all others are deleted with it. */
export interface PasskeysToKeep {
  /** Returns their ids; undefined keeps all. */
  kept(): string[] | undefined;
  /** Runs after a change that deleted all but these. */
  onChanged(kept: readonly string[]): void;
}

interface Props {
  /** Shown once a new password was typed. */
  children: ReactNode;
  passkeys: PasskeysToKeep;
}

export function PasswordForm({ children, passkeys }: Props) {
  const { devices: words } = useWords();
  const { username, email } = useCopy((copy) => copy.user);
  const [answers, setAnswers] = useState(empty);
  const [isChanged, setChanged] = useState(false);
  const act = useAct();
  useHold(answers.fresh !== "");
  const isWrong = act.error?.code === "wrong_password";
  const problem = isWrong ? act.error?.message : fieldProblem(act.error, "current_password");
  const set = (change: Partial<typeof empty>) => {
    setChanged(false);
    setAnswers({ ...answers, ...change });
  };

  async function change(event: FormEvent) {
    event.preventDefault();
    const kept = passkeys.kept();
    const body = { current_password: answers.current, new_password: answers.fresh, keep_passkeys: kept };
    if (act.isBusy || !(await act.run(() => changePassword({ body })))) return;
    setAnswers(empty);
    setChanged(true);
    announce(words.changed);
    if (kept) passkeys.onChanged(kept);
  }

  return (
    <form noValidate onSubmit={(event) => void change(event)}>
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={words.current}
        autoComplete="current-password"
        value={answers.current}
        onChange={(event) => set({ current: event.target.value })}
        problem={problem}
      />
      <PasswordField
        label={words.fresh}
        autoComplete="new-password"
        value={answers.fresh}
        onChange={(event) => set({ fresh: event.target.value })}
        hint={words.freshHint(limits.password_min)}
        problem={fieldProblem(act.error, "new_password")}
        names={[username, email]}
      />
      {answers.fresh !== "" && children}
      <Entry>
        <Button type="submit" isBusy={act.isBusy}>
          {words.change}
        </Button>
        <p className={styles.lead}>{isChanged ? words.changed : words.changeLead}</p>
        {!problem && act.error?.fields.length === 0 && <Refused by={act.error} />}
      </Entry>
    </form>
  );
}
