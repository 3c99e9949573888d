// The strip above the composer while disconnected: the time until the next attempt, and the number of unsent messages.
import { WifiOff } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { announce } from "../browser/announce.ts";
import { Icon } from "../controls/icon.tsx";
import { useCountdown } from "../words/countdown.ts";
import { useWords } from "../words/words.ts";
import styles from "./connection-strip.module.css";
import { useChat, useHouse, useUnsent } from "./house.tsx";

/** How long a connection may be lost before the strip is shown, in milliseconds. */
const graceMs = 5000;

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

/** Returns why the connection ended for good, unless signing in helps: for example, Hearth is open in too many tabs. */
export function useEnded(): string | undefined {
  const { shell: words } = useWords();
  const why = useChat(({ connection }) => (connection.is === "ended" ? connection.why : undefined));
  const sentence = why === "replaced" || why === "not understood" ? words.ended[why] : undefined;
  useEffect(() => {
    if (sentence) announce(sentence);
  }, [sentence]);
  return sentence;
}

/** True if the connection has been lost for longer than `graceMs`. */
export function useAway(): boolean {
  const isLive = useChat(({ connection }) => connection.is === "live" || connection.is === "ended");
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    setAway(false);
    if (isLive) return;
    const timer = setTimeout(() => setAway(true), graceMs);
    return () => clearTimeout(timer);
  }, [isLive]);
  return isAway && !isLive;
}
