// The sign-in page.
import { useEffect } from "react";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { comeIn, enter, onOtherTab, wanted } from "../../../web/ui/session/entering.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Aside, Gate } from "../../instance/view/gate.tsx";
import { SignInFields, useSignIn } from "./sign-in-form.tsx";

export function LoginPage() {
  const { sessions: words } = useWords();
  const signIn = useSignIn(enter);
  const isInvited = wanted()?.startsWith("/invite/");
  // The whole browser is signed in then, including this tab.
  useEffect(() => onOtherTab({ signedIn: comeIn, signedOut() {} }), []);
  return (
    <Gate
      title={words.signInTitle}
      name={words.signIn}
      lead={isInvited ? words.signInToJoin : words.signInLead}
      onSubmit={signIn.send}
    >
      <SignInFields signIn={signIn} onSignedIn={enter} />
      <Entry>
        <Aside>
          <p>
            <Link href="/reset-password">{words.forgot}</Link>
          </p>
          <p>
            {words.newHere} <Link href="/register">{words.create}</Link>
          </p>
        </Aside>
      </Entry>
    </Gate>
  );
}
