// A password field that can reveal its text, shows caps lock, and warns of new passwords that are easy to guess.
import { Eye, EyeOff } from "lucide-react";
import { type ChangeEvent, type KeyboardEvent, type ReactNode, useState } from "react";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { Field } from "../../../web/ui/controls/entry.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { useWeakness } from "./guessed-passwords.ts";

interface Props {
  value: string;
  onChange(event: ChangeEvent<HTMLInputElement>): void;
  onBlur?(): void;
  autoComplete: "current-password" | "new-password";
  autoFocus?: boolean;
  label?: string;
  hint?: ReactNode;
  problem?: ReactNode;
  /** The username and e-mail address of the account, given with a new password. */
  names?: readonly string[];
}

export function PasswordField({ label, hint, names, ...field }: Props) {
  const { sessions: words } = useWords();
  const [isShown, show] = useState(false);
  const [isCapsLock, setCapsLock] = useState(false);
  const weakness = useWeakness(field.value, names);
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState("CapsLock"));
  return (
    <Field
      {...field}
      label={label ?? words.password}
      hint={isCapsLock ? words.capsLock : weakness ? words.weak[weakness] : hint}
      type={isShown ? "text" : "password"}
      onKeyDown={look}
      onKeyUp={look}
      autoCapitalize="none"
      spellCheck={false}
      inside={
        <IconButton
          label={isShown ? words.hidePassword : words.showPassword}
          icon={isShown ? EyeOff : Eye}
          onClick={() => show(!isShown)}
        />
      }
    />
  );
}
