// Requests a mail with a link that sets a new password.
import { useState } from "react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry, Field } from "../../../web/ui/controls/entry.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Gate } from "../../instance/view/gate.tsx";
import { SendRow } from "../../instance/view/send-row.tsx";
import { forgotPassword } from "../calls.ts";
import { BackToSignIn } from "./back-to-sign-in.tsx";

export function AskForLink() {
  const { passwordResets: words } = useWords();
  const [email, setEmail] = useState("");
  const [sentTo, setSentTo] = useState<string>();
  const { isBusy, error, run } = useAct();
  const isShapeWrong = fieldProblem(error, "email") !== undefined;

  async function ask() {
    const address = email.trim();
    if (!isBusy && (await run(() => forgotPassword({ body: { email: address } })))) setSentTo(address);
  }

  if (sentTo) return <Sent to={sentTo} onAgain={() => setSentTo(undefined)} />;
  return (
    <Gate title={words.askTitle} lead={words.askLead} onSubmit={() => void ask()}>
      <Field
        label={words.email}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        problem={isShapeWrong ? words.emailShape : undefined}
        autoComplete="email"
        autoFocus
      />
      <SendRow isBusy={isBusy} error={error} isTold={isShapeWrong}>
        {words.ask}
      </SendRow>
      <Entry>
        <BackToSignIn />
      </Entry>
    </Gate>
  );
}

function Sent({ to, onAgain }: { to: string; onAgain(): void }) {
  const { passwordResets: words } = useWords();
  return (
    <Gate title={words.sentTitle} lead={words.sentLead(to)}>
      <Entry>
        <Button onClick={onAgain} autoFocus>
          {words.askAgain}
        </Button>
      </Entry>
      <Entry>
        <BackToSignIn />
      </Entry>
    </Gate>
  );
}
