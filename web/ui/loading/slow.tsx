// The placeholder of a page that is loading: nothing at first, or what its frame will be, and after a while a message.
import { type ReactNode, useEffect, useState } from "react";
import styles from "../controls/region.module.css";
import { useWords } from "../words/words.ts";

/** How long until the message is shown, in milliseconds. */
const shortMs = 3000;

export function Slow({ atFirst = null }: { atFirst?: ReactNode }) {
  const { parts: words } = useWords();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), shortMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return atFirst;
  return (
    <main className={styles.fault} aria-label={words.loading} data-coming="">
      <p role="status">{words.slow}</p>
    </main>
  );
}
