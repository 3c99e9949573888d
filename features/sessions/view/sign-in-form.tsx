// The sign-in form: passkey if available, or name and password. Used on the page and in a dialog.
import { useState } from "react";
import { CallError } from "../../../client/call.ts";
import { Field } from "../../../web/ui/controls/entry.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { SendRow } from "../../instance/view/send-row.tsx";
import { login } from "../calls.ts";
import { PasswordField } from "./password-field.tsx";
import { firstWay, otherWays } from "./slots.ts";

interface SignIn {
  identifier: string;
  setIdentifier(identifier: string): void;
  password: string;
  setPassword(password: string): void;
  isBusy: boolean;
  /** True if it was submitted with an empty field. */
  isEmpty: boolean;
  error: CallError | undefined;
  send(): void;
}

/** The input stays until signing in succeeds. */
export function useSignIn(onSignedIn: (userId: string) => void, name = ""): SignIn {
  const [identifier, setIdentifier] = useState(name);
  const [password, setPassword] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const [isEmpty, setEmpty] = useState(false);

  async function signIn() {
    if (isBusy) return;
    if (identifier.trim() === "" || password === "") {
      setEmpty(true);
      return;
    }
    setEmpty(false);
    setBusy(true);
    setError(undefined);
    try {
      const { id } = await login({ body: { email: identifier.trim(), password } });
      onSignedIn(id);
    } catch (failure) {
      setError(CallError.from(failure));
      setBusy(false);
    }
  }

  const typed = { identifier, setIdentifier, password, setPassword };
  return { ...typed, isBusy, isEmpty, error, send: () => void signIn() };
}

interface Props {
  signIn: SignIn;
  onSignedIn(userId: string): void;
  hasName?: boolean;
}

export function SignInFields({ signIn, onSignedIn, hasName = false }: Props) {
  const { sessions: words } = useWords();
  const { identifier, password, isBusy, isEmpty, error } = signIn;
  const isWrong = error?.code === "invalid_credentials";
  return (
    <>
      {filled(otherWays, { onSignedIn })}
      <Field
        label={words.identifier}
        value={identifier}
        onChange={(event) => signIn.setIdentifier(event.target.value)}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={!hasName}
      />
      <PasswordField
        value={password}
        onChange={(event) => signIn.setPassword(event.target.value)}
        autoComplete="current-password"
        autoFocus={hasName}
        problem={isWrong ? <Wrong /> : undefined}
      />
      <SendRow
        kind={firstWay.isPassword ? "primary" : "second"}
        isBusy={isBusy}
        error={error}
        isTold={isWrong}
        problem={isEmpty && words.fillBoth}
      >
        {words.signIn}
      </SendRow>
    </>
  );
}

function Wrong() {
  const { sessions: words } = useWords();
  return (
    <>
      {words.wrong} <Link href="/reset-password">{words.resetIt}</Link>
    </>
  );
}
