// Unsent text in a channel that its author can no longer see: it can be copied until it is discarded.
import { Check, Copy } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { focusAfter } from "../../../../web/ui/browser/focus-after.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { copyText } from "../../../../web/ui/controls/copy-text.ts";
import { useHouse, useUnsent } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { useDrafts } from "./drafts.ts";
import styles from "./left-behind.module.css";

interface Props {
  channelId: string;
  /** The channel is still visible, and shows its unsent messages itself. */
  isInRoom?: boolean;
}

export function LeftBehind({ channelId, isInRoom = false }: Props) {
  const { composer: words, parts } = useWords();
  const { outbox } = useHouse();
  const drafts = useDrafts();
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(channelId)?.text ?? "");
  const unsent = useUnsent().filter((each) => !isInRoom && each.channelId === channelId);
  const [isCopied, setCopied] = useState(false);
  const text = [...unsent.map(({ content }) => content), draft].filter((each) => each !== "").join("\n\n");
  if (text === "") return null;
  const copy = async () => setCopied(await copyText(text));
  function discard(button: Element) {
    focusAfter(button.closest("main"), "a[href]");
    drafts.drop(channelId);
    for (const { nonce } of unsent) outbox.discard(nonce);
  }
  return (
    <section aria-label={words.leftBehind} className={styles.left}>
      <h3>{words.leftBehind}</h3>
      <textarea readOnly aria-label={words.leftBehind} value={text} rows={4} />
      <div className={styles.actions}>
        <Button icon={isCopied ? Check : Copy} onClick={() => void copy()}>
          {isCopied ? parts.copied : parts.copy}
        </Button>
        <Button kind="quiet" onClick={({ currentTarget }) => discard(currentTarget)}>
          {words.throwAway}
        </Button>
      </div>
    </section>
  );
}
