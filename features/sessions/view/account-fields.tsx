// The fields of a new account, for registering and for the first run, and the button below them.
import { type ChangeEvent, useEffect, useRef } from "react";
import { limits } from "../../../protocol/limits.ts";
import { Field } from "../../../web/ui/controls/entry.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { useInstance } from "../../instance/view/instance.ts";
import { SendRow } from "../../instance/view/send-row.tsx";
import type { Answers } from "./answers.ts";
import { PasswordField } from "./password-field.tsx";
import type { Registering } from "./registering.ts";

interface Props {
  form: Registering;
  button: string;
  /** The hint at the e-mail address where Hearth sends no mail. */
  emailHintWithoutMail?: string;
  /** True if something else precedes the fields. */
  isSecond?: boolean;
}

export function AccountFields({ form, button, emailHintWithoutMail, isSecond = false }: Props) {
  const { sessions: words } = useWords();
  const sendsMail = useInstance()?.features.mail;
  const fields = useRef<HTMLDivElement>(null);
  const field = useFieldsOf(form);
  const { wrongField } = form;
  useEffect(() => {
    if (wrongField) fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [wrongField]);
  return (
    <div ref={fields}>
      <Field
        {...field("email")}
        label={words.email}
        hint={sendsMail ? words.emailHint : (emailHintWithoutMail ?? words.emailHintWithoutMail)}
        type="email"
        autoComplete="email"
        autoFocus={!isSecond}
      />
      <Field
        {...field("username")}
        label={words.username}
        hint={words.usernameHint(limits.username_min, limits.username_max)}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        {...field("display_name")}
        label={words.displayName}
        hint={words.displayNameHint}
        autoComplete="nickname"
      />
      <PasswordField
        {...field("password")}
        names={[form.answers.username, form.answers.email]}
        hint={words.passwordHint(limits.password_min)}
        autoComplete="new-password"
      />
      <SendRow isBusy={form.isBusy} error={form.error}>
        {button}
      </SendRow>
    </div>
  );
}

/** Returns the props of a field from the form. */
function useFieldsOf(form: Registering) {
  const { sessions: words } = useWords();
  return (name: keyof Answers) => {
    const problem = form.problemOf(name);
    return {
      value: form.answers[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) => form.type(name, event.target.value),
      onBlur: () => form.leave(name),
      problem: problem && ("fault" in problem ? words.faults[problem.fault] : problem.sentence),
    };
  };
}
