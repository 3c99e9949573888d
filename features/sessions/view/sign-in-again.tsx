// Signing in again in place after a session has ended: typed text and the page's address stay.
import { useEffect, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { noteSignedIn } from "../../../web/ui/session/entering.ts";
import { signInAgain, useHouse } from "../../../web/ui/session/house.tsx";
import { useRefusal } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Me } from "../../accounts/contract.ts";
import { Said } from "../../instance/view/send-row.tsx";
import { countCalls, useTitle } from "../../instance/view/title.ts";
import styles from "./sign-in-again.module.css";
import { SignInFields, useSignIn } from "./sign-in-form.tsx";
import { signOut } from "./sign-out.ts";

interface Props {
  /** The owner of the ended session. */
  user: Pick<Me, "id" | "username">;
}

/** Replaces the page, which is only for signed-in people. */
export function SignInAgain({ user }: Props) {
  const { sessions: words } = useWords();
  const [isOpen, setOpen] = useState(true);
  useTitle(words.signedOutTitle);
  useEffect(() => countCalls(0), []);
  if (isOpen)
    return (
      <Dialog title={words.signedOutTitle} onClose={() => setOpen(false)} isKept>
        <Again user={user} />
      </Dialog>
    );
  return (
    <main>
      <h1 className="visually-hidden">{words.signedOutTitle}</h1>
      <div role="status" className={styles.bar}>
        <span>{words.signedOutBar}</span>
        <Button kind="primary" isSmall onClick={() => setOpen(true)}>
          {words.signIn}
        </Button>
      </div>
    </main>
  );
}

function Again({ user }: Props) {
  const { sessions: words } = useWords();
  const house = useHouse();
  const goOn = (userId: string) => {
    noteSignedIn(userId);
    // Nothing here may pass to another person, so the page is reloaded.
    if (userId !== user.id) location.assign("/");
    else signInAgain(house);
  };
  const signIn = useSignIn(goOn, user.username);
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        signIn.send();
      }}
    >
      <p className={styles.lead}>{words.signedOutLead}</p>
      <SignInFields signIn={signIn} onSignedIn={goOn} hasName />
      <Leave />
    </form>
  );
}

function Leave() {
  const { sessions: words } = useWords();
  const [error, setError] = useState<CallError>();
  const refusal = useRefusal(error);
  return (
    <Entry>
      <Button
        kind="quiet"
        isWide
        onClick={() => void signOut().catch((failure) => setError(CallError.from(failure)))}
      >
        {words.leave}
      </Button>
      <Said>{refusal}</Said>
    </Entry>
  );
}
