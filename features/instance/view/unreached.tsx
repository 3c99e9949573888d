// Shown when the instance cannot be reached, in place of a page that needs its description.
import { useEffect, useState } from "react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { Gate } from "./gate.tsx";
import { askInstance } from "./instance.ts";

/** Shows nothing while the first request is pending. */
export function Unreached() {
  const { instance: words, parts } = useWords();
  const [tries, setTries] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks once.
  useEffect(() => {
    let isOver = false;
    askInstance().catch(() => !isOver && setFailed(true));
    return () => {
      isOver = true;
    };
  }, [tries]);
  if (!hasFailed) return null;
  return (
    <Gate title={words.unreachedTitle} lead={words.unreachedLead}>
      <Entry>
        <Button onClick={() => setTries(tries + 1)} autoFocus>
          {parts.tryAgain}
        </Button>
      </Entry>
    </Gate>
  );
}
