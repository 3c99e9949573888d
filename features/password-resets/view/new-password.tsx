// Sets a new password with the token of a link.
import { useState } from "react";
import { useLocation } from "wouter";
import { limits } from "../../../protocol/limits.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Switch } from "../../../web/ui/controls/switch.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Gate } from "../../instance/view/gate.tsx";
import { SendRow } from "../../instance/view/send-row.tsx";
import { whyNoPasskeys } from "../../passkeys/view/capable.ts";
import { faultOf } from "../../sessions/view/answers.ts";
import { PasswordField } from "../../sessions/view/password-field.tsx";
import { resetPassword } from "../calls.ts";
import { BackToSignIn } from "./back-to-sign-in.tsx";

export function NewPassword({ token }: { token: string }) {
  const { passwordResets: words, sessions } = useWords();
  const [password, setPassword] = useState("");
  const [wasLeft, setLeft] = useState(false);
  const [endsPasskeys, setEndsPasskeys] = useState(false);
  const [isDone, setDone] = useState(false);
  const { isBusy, error, run } = useAct();
  const fault = faultOf("password", password);

  async function set() {
    setLeft(true);
    if (isBusy || fault) return;
    const body = { token, new_password: password, keep_passkeys: endsPasskeys ? [] : undefined };
    if (await run(() => resetPassword({ body }))) setDone(true);
  }

  if (isDone) return <Done />;
  if (error?.code === "invalid_token") return <Ended />;
  return (
    <Gate title={words.newTitle} lead={words.newLead} onSubmit={() => void set()}>
      <PasswordField
        label={words.newPassword}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        onBlur={() => password !== "" && setLeft(true)}
        autoComplete="new-password"
        names={[]}
        autoFocus
        hint={sessions.passwordHint(limits.password_min)}
        problem={wasLeft && fault ? sessions.faults[fault] : undefined}
      />
      <EndPasskeys isOn={endsPasskeys} onChange={setEndsPasskeys} />
      <SendRow isBusy={isBusy} error={error}>
        {words.set}
      </SendRow>
    </Gate>
  );
}

/** A link proves who somebody is, but not which of the account's passkeys are theirs: so it is all of them, or none. */
function EndPasskeys(choice: { isOn: boolean; onChange(isOn: boolean): void }) {
  const { passwordResets: words } = useWords();
  if (whyNoPasskeys() === "address") return null;
  return (
    <Entry>
      <Switch {...choice} label={words.passkeys} hint={words.passkeysHint} />
    </Entry>
  );
}

function Done() {
  const { passwordResets: words } = useWords();
  const [, navigate] = useLocation();
  return (
    <Gate title={words.doneTitle} lead={words.doneLead}>
      <Entry>
        <Button kind="primary" onClick={() => navigate("/login", { replace: true })} autoFocus>
          {words.signIn}
        </Button>
      </Entry>
    </Gate>
  );
}

/** A token is valid once, within an hour. */
function Ended() {
  const { passwordResets: words } = useWords();
  return (
    <Gate title={words.endedTitle} lead={words.endedLead}>
      <Entry>
        {/* A full page load, as the token behind "#" has to go. */}
        <a href="/reset-password">{words.askAgain}</a>
      </Entry>
      <Entry>
        <BackToSignIn />
      </Entry>
    </Gate>
  );
}
