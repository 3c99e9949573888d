// The line below the composer that says who is typing. Always present, so that nothing moves.
import { following } from "../../../web/ui/loading/later.tsx";
import type { OwnChannel } from "../../channels/state.ts";
import styles from "./typing-line.module.css";

const Typists = following(async () => (await import("./typists.tsx")).Typists);

export function TypingLine({ channel }: { channel: OwnChannel }) {
  return (
    <div className={styles.line} aria-live="off">
      <Typists channel={channel} />
    </div>
  );
}
