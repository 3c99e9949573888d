// The card of a call that rings for the reader. It takes no focus: typing goes on.
import { Phone, PhoneOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { RingingCall } from "../../../protocol/voice.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { PresenceMark } from "../../../web/ui/controls/presence-mark.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnConversation } from "../../direct/state.ts";
import { sayRinging } from "../../instance/view/title.ts";
import styles from "./incoming-call.module.css";
import { answer, decline } from "./ring.ts";
import { keyOf, ringForMs, stopHere } from "./ringing-state.ts";
import { useRingtone } from "./ringtone.ts";

interface Props {
  conversation: OwnConversation;
  call: RingingCall;
}

export function IncomingCall({ conversation, call }: Props) {
  const { ringing: words } = useWords();
  const { chat } = useHouse();
  const [, navigate] = useLocation();
  const { id, type, recipients, given_name } = conversation;
  const caller = recipients.find((each) => each.id === call.user_id);
  const name = caller?.display_name ?? conversation.name;
  const isCalling = words.isCalling(name);
  const seconds = useSeconds(() => stopHere(keyOf(id, call)));
  useRingtone(useCopy(({ user }) => user.presence !== "dnd"));
  useEffect(() => {
    announce(isCalling);
    sayRinging(isCalling);
    return () => sayRinging(undefined);
  }, [isCalling]);
  return (
    <div role="dialog" aria-label={isCalling} className={styles.card}>
      <Face id={call.user_id} name={name} picture={caller?.avatar} size={48}>
        {caller && <PresenceMark status={caller.presence} />}
      </Face>
      <div className={styles.who}>
        <h2>{isCalling}</h2>
        <p>{words.since(type === "group" ? (given_name ?? conversation.name) : words.direct, seconds)}</p>
      </div>
      <div className={styles.buttons}>
        <Button kind="danger" isWide icon={PhoneOff} onClick={() => void decline(conversation)}>
          {words.decline}
        </Button>
        <Button
          kind="primary"
          isWide
          icon={Phone}
          onClick={() => {
            navigate(paths.channel(conversation), { state: { isFromHere: true } });
            void answer(chat, conversation);
          }}
        >
          {words.answer}
        </Button>
      </div>
    </div>
  );
}

/** Returns the seconds since it began to ring here; calls `onOver` when it has rung for long enough. */
function useSeconds(onOver: () => void): number {
  const [seconds, setSeconds] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time is that of the card, whatever changes in it.
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    const end = setTimeout(onOver, ringForMs);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, []);
  return seconds;
}
