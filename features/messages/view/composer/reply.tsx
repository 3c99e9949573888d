// The bar above the composer that shows the message being replied to.
import { CornerUpLeft, X } from "lucide-react";
import { IconButton } from "../../../../web/ui/controls/button.tsx";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import { useOriginal } from "../row/reply-line.tsx";
import styles from "./composer.module.css";

interface Props {
  channelId: string;
  messageId: string;
  onStop(): void;
}

export function ReplyBar({ channelId, messageId, onStop }: Props) {
  const { composer: words } = useWords();
  const original = useOriginal(channelId, messageId);
  return (
    <div className={styles.answering}>
      <Icon of={CornerUpLeft} size={14} />
      <span dir="auto">
        {original === "gone" ? (
          <i>{words.originalGone}</i>
        ) : (
          original && (
            <>
              {words.replyingTo} <b>{original.author.display_name}</b> {gist(original)}
            </>
          )
        )}
      </span>
      <IconButton label={words.stopReplying} icon={X} onClick={onStop} />
    </div>
  );
}

/** A one-line summary of the message. */
function gist({ content, attachments }: Message): string {
  return content.split("\n", 1)[0] || attachments.map(({ name }) => name).join(", ");
}
