// The row above the first message of a server's channel, where the way up ends.
import { useChannel } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import styles from "../window/divisions.module.css";

export function BeginningRow({ channelId }: { channelId: string }) {
  const { messages: words } = useWords();
  const channel = useChannel(channelId);
  // Conversations have a beginning of their own.
  if (!channel || channel.server_id === null) return null;
  return (
    <div className={styles.beginning}>
      <h3>{words.begins(channel.name)}</h3>
    </div>
  );
}
