// The pages of a forgotten password: requesting a link, and setting a new password with it.
import { useEffect, useState } from "react";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { Gate } from "../../instance/view/gate.tsx";
import { useInstance } from "../../instance/view/instance.ts";
import { Unreached } from "../../instance/view/unreached.tsx";
import { AskForLink } from "./ask-for-link.tsx";
import { BackToSignIn } from "./back-to-sign-in.tsx";
import { NewPassword } from "./new-password.tsx";

export function ResetPage() {
  const instance = useInstance();
  const token = useToken();
  if (token) return <NewPassword key={token} token={token} />;
  if (!instance) return <Unreached />;
  return instance.features.mail ? <AskForLink /> : <NoMail />;
}

/** The token is in the fragment, which browsers send to nobody. */
function useToken(): string | undefined {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const look = () => setHash(location.hash);
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return new URLSearchParams(hash.slice(1)).get("token") || undefined;
}

function NoMail() {
  const { passwordResets: words } = useWords();
  return (
    <Gate title={words.askTitle} lead={words.noMail}>
      <Entry>
        <BackToSignIn />
      </Entry>
    </Gate>
  );
}
