// In the place of a page that is still being loaded: nothing at first, and after a while that it is under way.
import { useEffect, useState } from "react";
import styles from "../controls/region.module.css";
import { useWords } from "../words/words.ts";

/** A page that comes sooner shows nothing before itself. */
const shortMs = 3000;

export function Slow() {
  const { parts: words } = useWords();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), shortMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <main className={styles.fault} aria-label={words.loading} data-coming="">
      <p role="status">{words.slow}</p>
    </main>
  );
}
