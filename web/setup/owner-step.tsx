// The first step: the owner's account, with the setup code on instances that others could reach before the operator.
import { useEffect, useState } from "react";
import { getMe } from "../../features/accounts/calls.ts";
import { Gate } from "../../features/instance/view/gate.tsx";
import { askInstance, forgetInstance, useInstance } from "../../features/instance/view/instance.ts";
import { AccountFields } from "../../features/sessions/view/account-fields.tsx";
import { useRegistering } from "../../features/sessions/view/registering.ts";
import { Button } from "../ui/controls/button.tsx";
import { Entry, Field } from "../ui/controls/entry.tsx";
import { enter, noteSignedIn } from "../ui/session/entering.ts";
import { useWords } from "../ui/words/words.ts";
import styles from "./step-gate.module.css";
import { StepGate } from "./step-gate.tsx";

export function OwnerStep({ onOwned }: { onOwned(): void }) {
  const { setup: words, sessions } = useWords();
  const setup = useInstance()?.setup;
  const [code, setCode] = useState("");
  const [otherId, setOtherId] = useState<string>();
  useAskingAgain();
  const form = useRegistering({
    more: () => (setup === "code" ? { setup_code: code.trim() } : {}),
    async onRegistered(id) {
      noteSignedIn(id);
      const { instance_role } = await getMe();
      if (instance_role === "owner") onOwned();
      else setOtherId(id);
    },
  });
  if (otherId) return <TooLate onGoOn={() => enter(otherId)} />;
  if (setup === "done" && !form.isBusy) return <TooLate />;
  const isCodeWrong = setup === "code" && form.error?.code === "registration_closed";
  return (
    <StepGate step="owner" onSubmit={form.send}>
      <div className={styles.stacked}>
        {setup === "code" && (
          <Field
            label={words.code}
            hint={words.codeHint}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            problem={isCodeWrong ? form.error?.message : undefined}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
          />
        )}
        <AccountFields
          form={isCodeWrong ? { ...form, error: undefined } : form}
          button={sessions.createAccount}
          emailHintWithoutMail={words.emailHintWithoutMail}
          isSecond={setup === "code"}
        />
      </div>
    </StepGate>
  );
}

/** Asks about the instance again on focus: somebody else may have finished this step meanwhile. */
function useAskingAgain(): void {
  useEffect(() => {
    const ask = () => {
      forgetInstance();
      askInstance().catch(() => {});
    };
    addEventListener("focus", ask);
    return () => removeEventListener("focus", ask);
  }, []);
}

function TooLate({ onGoOn }: { onGoOn?: () => void }) {
  const { setup: words, sessions } = useWords();
  return (
    <Gate title={words.tooLateTitle} lead={onGoOn ? words.tooLateWithAccount : words.tooLateLead}>
      <Entry>
        <Button kind="primary" onClick={onGoOn ?? (() => location.assign("/login"))} autoFocus>
          {onGoOn ? words.goOn : sessions.signIn}
        </Button>
      </Entry>
    </Gate>
  );
}
