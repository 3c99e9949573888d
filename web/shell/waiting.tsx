// The page before its first connection: reports a missing network, and continues by itself.
import { useEffect, useState } from "react";
import { Button } from "../ui/controls/button.tsx";
import { useEnded } from "../ui/session/away.ts";
import { useChat, useHouse } from "../ui/session/house.tsx";
import { useWords } from "../ui/words/words.ts";
import frame from "./frame.module.css";
import { FrameBones } from "./frame-bones.tsx";
import styles from "./nothing.module.css";

/** How long the first attempt may take before the page reports it, in milliseconds. */
const shortMs = 3000;

/** Shows the bones of the frame during the first attempt while that is short. */
export function Waiting() {
  const { shell: words } = useWords();
  const { chat } = useHouse();
  const ended = useEnded();
  const isWaiting = useChat(({ connection }) => connection.is === "waiting");
  const [hasWaited, setWaited] = useState(false);
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (isWaiting) setWaited(true);
  }, [isWaiting]);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), shortMs);
    return () => clearTimeout(timer);
  }, []);
  const isAway = hasWaited || isWaiting;
  if (!isAway && !ended && !isLong) return <FrameBones />;
  const lead = isAway ? words.notConnectedLead : words.connectingLead;
  return (
    <div className={frame.frame}>
      <main
        className={styles.nothing}
        aria-label={words.connection}
        data-coming={isAway || ended ? undefined : ""}
      >
        <h2>{isAway || ended ? words.notConnected : words.connecting}</h2>
        <p role="status">{ended ?? lead}</p>
        {ended && <Button onClick={() => chat.connection.start()}>{words.tryNow}</Button>}
        {isAway && !ended && <Button onClick={() => chat.connection.tryNow()}>{words.tryNow}</Button>}
      </main>
    </div>
  );
}
