// The line above a reply, which is loaded after the first message; its place is there before.
import { following } from "../../../../web/ui/loading/later.tsx";
import styles from "./reply-line.module.css";

export const ReplyLine = following(
  async () => (await import("./reply-line.tsx")).ReplyLine,
  () => <div className={styles.line} aria-hidden="true" />,
);
