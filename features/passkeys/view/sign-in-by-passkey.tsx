// Signing in with a passkey, by its button or through the browser's autofill of the name field.
import { KeyRound } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { useGone } from "../../../web/ui/browser/gone.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { described, Entry, FieldNote, Problem } from "../../../web/ui/controls/entry.tsx";
import { Or } from "../../../web/ui/controls/or.tsx";
import { useRefusal } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { outcomeOf, ownMachineByName, whyNoPasskeys } from "./capable.ts";
import { canAutofill, cancelCeremony, signInWithPasskey } from "./ceremony.ts";

/** A challenge is valid for five minutes; a new one is requested before that, in milliseconds. */
const renewMs = 4 * 60_000;

interface Props {
  onSignedIn(userId: string): void;
}

export function SignInByPasskey({ onSignedIn }: Props) {
  const { passkeys: words } = useWords();
  const why = whyNoPasskeys();
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<string>();
  const [error, setError] = useState<CallError>();
  const refusal = useRefusal(error);
  const gone = useGone();
  const autofill = useAutofill(onSignedIn, !why && !isBusy);

  async function signIn() {
    setBusy(true);
    setSaid(undefined);
    setError(undefined);
    try {
      await autofill.stop();
      onSignedIn(await signInWithPasskey(gone.current));
    } catch (failure) {
      setBusy(false);
      const outcome = outcomeOf(failure);
      if (outcome === "address") setSaid(words.noAddress);
      else if (outcome === "browser") setSaid(words.noBrowser);
      else if (outcome) setSaid(words.cancelled);
      else setError(CallError.from(failure));
    }
  }

  const isUnknown = error?.code === "invalid_credentials";
  const problem = said ?? (isUnknown ? words.unknown : refusal);
  if (why === "address") return <AtLocalhost />;
  if (why) return null;
  return (
    <>
      <Entry>
        <Button kind="primary" isWide icon={KeyRound} isBusy={isBusy} onClick={() => void signIn()}>
          {words.signIn}
        </Button>
        <div aria-live="polite">{problem && <Problem>{problem}</Problem>}</div>
      </Entry>
      <Entry>
        <Or>{words.orPassword}</Or>
      </Entry>
    </>
  );
}

/** The button at a loopback address, where it can only lead to this page at `localhost`, and says so. */
function AtLocalhost() {
  const { passkeys: words } = useWords();
  const id = useId();
  const address = ownMachineByName();
  if (!address) return null;
  return (
    <>
      <Entry>
        <Button
          isWide
          icon={KeyRound}
          {...described(id, { hint: true })}
          onClick={() => location.assign(address)}
        >
          {words.signIn}
        </Button>
        <FieldNote id={id} hint={words.atLocalhost(location.hostname)} />
      </Entry>
      <Entry>
        <Or>{words.orPassword}</Or>
      </Entry>
    </>
  );
}

/** Lets the browser offer passkeys in its autofill; does nothing where it cannot. */
function useAutofill(onSignedIn: (userId: string) => void, isOn: boolean) {
  const done = useRef(onSignedIn);
  done.current = onSignedIn;
  const running = useRef<AbortController>(undefined);
  useEffect(() => {
    if (!isOn) return;
    const over = new AbortController();
    running.current = over;
    let renewal: ReturnType<typeof setTimeout> | undefined;
    const offer = async () => {
      renewal = setTimeout(() => void offer(), renewMs);
      try {
        if (!(await canAutofill())) return;
        const userId = await signInWithPasskey(over.signal, true);
        if (!over.signal.aborted) done.current(userId);
      } catch {
        // Nobody asked for this attempt: the button reports errors.
      }
    };
    void offer();
    return () => {
      over.abort();
      clearTimeout(renewal);
      // If the chunk failed to load, there is nothing to cancel.
      cancelCeremony().catch(() => {});
    };
  }, [isOn]);
  const stop = () => {
    running.current?.abort();
    return cancelCeremony();
  };
  return { stop };
}
