// Where there is nothing to show: no server yet, or an address that leads nowhere.
import { Link } from "wouter";
import { useFrameWidth } from "../ui/frame-width.ts";
import { later } from "../ui/later.tsx";
import { useWords } from "../ui/words.ts";
import styles from "./nothing.module.css";

const Start = later(async () => (await import("../../features/servers/view/start.tsx")).Start);

export function Nothing({ hasServers }: { hasServers: boolean }) {
  const { shell: words } = useWords();
  const isNarrow = useFrameWidth() === "narrow";
  // On a phone the first pane has it.
  if (!hasServers) return isNarrow ? <div /> : <Start />;
  return (
    <main className={styles.nothing} aria-label={words.nothingHere}>
      <h2>{words.nothingHere}</h2>
      <p>{words.nothingHereLead}</p>
      <Link href="/">{words.backHome}</Link>
    </main>
  );
}
