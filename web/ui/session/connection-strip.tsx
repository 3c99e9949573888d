// The strip above the composer while disconnected: the time until the next attempt, and the number of unsent messages.
import { WifiOff } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { announce } from "../browser/announce.ts";
import { Icon } from "../controls/icon.tsx";
import { useCountdown } from "../words/countdown.ts";
import { useWords } from "../words/words.ts";
import { useAway, useEnded } from "./away.ts";
import styles from "./connection-strip.module.css";
import { useChat, useHouse, useUnsent } from "./house.tsx";

export function ConnectionStrip() {
  const { shell: words } = useWords();
  const { chat, outbox } = useHouse();
  const waiting = useUnsent().filter(({ state }) => state !== "failed").length;
  const isAway = useAway();
  const ended = useEnded();
  const seconds = useChat(({ connection }) =>
    connection.is === "waiting" ? connection.forMs / 1000 : undefined,
  );
  const nextTry = useCountdown(seconds === undefined ? undefined : Math.ceil(seconds));
  useEffect(() => {
    if (isAway) announce(words.noConnection);
  }, [isAway, words]);
  if (ended) return <Strip says={ended} onTry={() => chat.connection.start()} />;
  if (!isAway) return null;
  const tryNow = () => {
    chat.connection.tryNow();
    outbox.sendNow();
  };
  return (
    <Strip says={words.noConnection} onTry={tryNow}>
      {waiting > 0 && words.waiting(waiting)} {nextTry ? words.nextTry(nextTry) : words.trying}
    </Strip>
  );
}

interface Props {
  says: string;
  onTry(): void;
  children?: ReactNode;
}

function Strip({ says, onTry, children }: Props) {
  const { shell: words } = useWords();
  return (
    <div className={styles.place}>
      <div role="status" aria-label={words.connection} aria-live="off" className={styles.strip}>
        <Icon of={WifiOff} size={16} />
        <span>
          <b>{says}</b> {children}
        </span>
        <button type="button" onClick={onTry}>
          {words.tryNow}
        </button>
      </div>
    </div>
  );
}
