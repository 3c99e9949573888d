// The registration page.
import { useEffect, useState } from "react";
import { dropFromTab, keepInTab, keptInTab } from "../../../web/ui/browser/tab-store.ts";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { signedInLast } from "../../../web/ui/session/belongings.ts";
import { comeIn, noteSignedIn } from "../../../web/ui/session/entering.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Aside, Gate } from "../../instance/view/gate.tsx";
import { askInstance, forgetInstance, useInstance } from "../../instance/view/instance.ts";
import { Unreached } from "../../instance/view/unreached.tsx";
import { AccountFields } from "./account-fields.tsx";
import { useInvited } from "./invited.tsx";
import { useRegistering } from "./registering.ts";
import { afterRegistering } from "./slots.ts";

/** Kept until the new account comes in: a reload goes on behind the form, which would call the name taken. */
const registeredKey = "hearth.registered";

export function RegisterPage() {
  const { sessions: words } = useWords();
  const instance = useInstance();
  const invited = useInvited();
  const [userId, setUserId] = useState(registeredId);
  const form = useRegistering({
    more: () => ({ ...(invited.code && { invite_code: invited.code }) }),
    async onRegistered(id) {
      // All tabs have its cookie from now on.
      noteSignedIn(id);
      keepInTab(registeredKey, id);
      await invited.join();
      setUserId(id);
    },
  });

  const isRefused = form.error?.code === "registration_closed";
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal is told once.
  useEffect(() => {
    if (!isRefused) return;
    invited.refuse();
    // The setting could have changed since the page asked for it.
    forgetInstance();
    askInstance().catch(() => {});
  }, [form.error]);

  if (userId) return filled(afterRegistering, { onDone: goIn });
  // Waits for the instance's settings, so that nobody fills in the form in vain.
  if (!instance) return <Unreached />;
  if (instance.registration === "closed") return <Closed />;
  const needsInvite = instance.registration === "invite";
  return (
    <Gate title={words.registerTitle} lead={invited.lead ?? words.registerLead} onSubmit={form.send}>
      {needsInvite && invited.field}
      <AccountFields
        form={needsInvite && isRefused ? { ...form, error: undefined } : form}
        button={words.createAccount}
      />
      <HaveOne />
    </Gate>
  );
}

/** Forgets an account that another tab signed out of. */
function registeredId(): string | undefined {
  const id = keptInTab(registeredKey);
  if (id === signedInLast()) return id;
  dropFromTab(registeredKey);
  return undefined;
}

function goIn(): void {
  dropFromTab(registeredKey);
  comeIn();
}

function Closed() {
  const { sessions: words } = useWords();
  return (
    <Gate title={words.closedTitle} lead={words.closedLead}>
      <HaveOne />
    </Gate>
  );
}

function HaveOne() {
  const { sessions: words } = useWords();
  return (
    <Entry>
      <Aside>
        <p>
          {words.haveOne} <Link href="/login">{words.signIn}</Link>
        </p>
      </Aside>
    </Entry>
  );
}
