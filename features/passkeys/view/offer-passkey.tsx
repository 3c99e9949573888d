// Offers a passkey right after registration, on devices that can store one. It can be skipped.
import { KeyRound, Laptop } from "lucide-react";
import { useEffect, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { useGone } from "../../../web/ui/browser/gone.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry, Problem } from "../../../web/ui/controls/entry.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { useRefusal } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Actions, Gate } from "../../instance/view/gate.tsx";
import { canKeepPasskey, outcomeOf } from "./capable.ts";
import { makePasskey } from "./ceremony.ts";
import styles from "./offer-passkey.module.css";

export function OfferPasskey({ onDone }: { onDone(): void }) {
  const [canKeep, setCanKeep] = useState(false);
  useEffect(() => {
    void canKeepPasskey().then((can) => (can ? setCanKeep(true) : onDone()));
  }, [onDone]);
  return canKeep ? <Offer onDone={onDone} /> : null;
}

function Offer({ onDone }: { onDone(): void }) {
  const { passkeys: words } = useWords();
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<string>();
  const [error, setError] = useState<CallError>();
  const problem = useRefusal(error) ?? said;
  const gone = useGone();

  async function make() {
    setBusy(true);
    setSaid(undefined);
    setError(undefined);
    const over = gone.current;
    try {
      await makePasskey(over);
      if (!over.aborted) onDone();
    } catch (failure) {
      if (over.aborted) return;
      setBusy(false);
      const outcome = outcomeOf(failure);
      if (outcome === "known") onDone();
      else if (outcome === "address") setSaid(words.noAddress);
      else if (outcome === "browser") setSaid(words.noBrowser);
      else if (outcome) setSaid(words.notMade);
      else setError(CallError.from(failure));
    }
  }

  return (
    <Gate title={words.offerTitle} lead={words.offerLead}>
      <Entry label={words.thisDevice}>
        <div className={styles.device}>
          <Icon of={Laptop} />
          {words.canKeep}
        </div>
      </Entry>
      <Entry>
        <Actions>
          <Button kind="primary" icon={KeyRound} isBusy={isBusy} onClick={() => void make()} autoFocus>
            {words.make}
          </Button>
          <Button kind="quiet" onClick={onDone}>
            {words.notNow}
          </Button>
        </Actions>
        <div aria-live="polite">{problem && <Problem>{problem}</Problem>}</div>
      </Entry>
    </Gate>
  );
}
