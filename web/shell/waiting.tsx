// The page before it is connected for the first time: without a network it says so, and goes on by itself.
import { useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { useChat, useHouse } from "../ui/house.tsx";
import { useWords } from "../ui/words.ts";
import frame from "./frame.module.css";
import styles from "./nothing.module.css";

/** Nothing as long as the first attempt is under way: it is short. */
export function Waiting() {
  const { shell: words } = useWords();
  const { chat } = useHouse();
  const isWaiting = useChat(({ connection }) => connection.is === "waiting");
  const [hasWaited, setWaited] = useState(false);
  useEffect(() => {
    if (isWaiting) setWaited(true);
  }, [isWaiting]);
  if (!hasWaited && !isWaiting) return null;
  return (
    <div className={frame.frame}>
      <main className={styles.nothing} aria-label={words.connection}>
        <h2>{words.notConnected}</h2>
        <p role="status">{words.notConnectedLead}</p>
        <Button onClick={() => chat.connection.tryNow()}>{words.tryNow}</Button>
      </main>
    </div>
  );
}
