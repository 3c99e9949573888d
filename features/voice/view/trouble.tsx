// What is wrong with a call, and the button that may mend it.
import { VolumeX } from "lucide-react";
import { Button } from "../../../web/ui/button.tsx";
import { Problem } from "../../../web/ui/entry.tsx";
import { useHouse } from "../../../web/ui/house.tsx";
import { Icon } from "../../../web/ui/icon.tsx";
import { useRefusal } from "../../../web/ui/refusal.ts";
import { useWords } from "../../../web/ui/words.ts";
import { type CallView, changeCall } from "./call-state.ts";
import { currentCall, join, leave } from "./calling.ts";
import styles from "./trouble.module.css";

export function TroubleLine({ call }: { call: CallView }) {
  const { voice: words } = useWords();
  const { chat } = useHouse();
  const { trouble, needsPress, channel } = call;
  const refusal = useRefusal(trouble?.is === "refused by the server" ? trouble.error : undefined);
  const isOver = call.is === "over";
  const sentence = trouble?.is === "refused by the server" ? refusal : trouble && words.troubles[trouble.is];
  return (
    <div role="status" className={styles.lines}>
      {sentence && (
        <div className={styles.line}>
          <Problem>{sentence}</Problem>
          {isOver ? (
            <>
              <Button isSmall onClick={() => void join(chat, channel)}>
                {words.joinAgain}
              </Button>
              <Button isSmall kind="quiet" onClick={leave}>
                {words.close}
              </Button>
            </>
          ) : (
            <Button isSmall onClick={() => retry(trouble?.is)}>
              {trouble?.is === "no screen" ? words.close : words.tryAgain}
            </Button>
          )}
        </div>
      )}
      {needsPress && !isOver && (
        <div className={styles.line}>
          <p>
            <Icon of={VolumeX} size={14} /> {words.soundIsOff}
          </p>
          <Button isSmall kind="primary" onClick={() => void currentCall()?.turnSoundOn()}>
            {words.turnSoundOn}
          </Button>
        </div>
      )}
    </div>
  );
}

function retry(trouble: string | undefined): void {
  if (trouble === "no screen") changeCall({ trouble: undefined });
  else void currentCall()?.openMicrophone();
}
