// A call's problem, and the button that may fix it.
import { VolumeX } from "lucide-react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Problem } from "../../../web/ui/controls/entry.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { useChannel, useHouse } from "../../../web/ui/session/house.tsx";
import { useRefusal } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { type CallView, changeCall } from "./call-state.ts";
import { currentCall, join, leave } from "./calling.ts";
import styles from "./trouble.module.css";

export function TroubleLine({ call }: { call: CallView }) {
  const { voice: words } = useWords();
  const { chat } = useHouse();
  const { trouble, needsPress, channel } = call;
  const refusal = useRefusal(trouble?.is === "refused by the server" ? trouble.error : undefined);
  const isOver = call.is === "over";
  // The server or room may no longer exist for the reader: then there is nothing to rejoin.
  const isThere = useChannel(channel.id) !== undefined;
  const sentence = trouble?.is === "refused by the server" ? refusal : trouble && words.troubles[trouble.is];
  return (
    <div role="status" className={styles.lines}>
      {sentence && (
        <div className={styles.line}>
          <Problem>{sentence}</Problem>
          {isOver ? (
            <>
              {isThere && (
                <Button isSmall onClick={() => void join(chat, channel)}>
                  {words.joinAgain}
                </Button>
              )}
              <Button isSmall kind="quiet" onClick={leave}>
                {words.close}
              </Button>
            </>
          ) : (
            <Button isSmall onClick={() => retry(trouble?.is)}>
              {isPassing(trouble?.is) ? words.close : words.tryAgain}
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
  if (isPassing(trouble)) changeCall({ trouble: undefined });
  else void currentCall()?.openMicrophone();
}

/** True if the call goes on as before, so that the same button or list can be tried again. */
function isPassing(trouble: string | undefined): boolean {
  return trouble === "no screen" || trouble === "no speaker" || trouble === "needs https";
}
