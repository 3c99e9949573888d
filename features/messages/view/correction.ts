// A correction whose message is deleted while it is written: it moves into the composer.
import { useEffect, useRef } from "react";
import { useHouse } from "../../../web/ui/house.tsx";
import { showToast } from "../../../web/ui/toast.ts";
import { useWords } from "../../../web/ui/words.ts";
import type { Message } from "../contract.ts";
import { useDrafts } from "./composer-drafts.ts";
import { watchDeletions } from "./deletions.ts";
import { useEditing } from "./editing.ts";
import { dropCorrection } from "./kept-corrections.ts";

/** Puts a correction into the composer when its message is deleted meanwhile. */
export function useRescue(message: Message, text: string): void {
  const { chat } = useHouse();
  const { messages: words } = useWords();
  const drafts = useDrafts();
  const now = useRef({ message, text });
  now.current = { message, text };
  useEffect(() => {
    const rescue = () => {
      const { message, text } = now.current;
      // Given up, saved or moved meanwhile.
      if (useEditing.getState().messageId !== message.id) return;
      const isChanged = text.trim() !== message.content;
      const before = drafts.get(message.channel_id)?.text;
      if (isChanged) drafts.change(message.channel_id, { text: before ? `${before}\n\n${text}` : text });
      useEditing.getState().stop();
      dropCorrection(message);
      if (isChanged) showToast({ text: words.correctionMoved, isAlert: true });
    };
    return watchDeletions(chat, { ids: () => [now.current.message.id], gone: rescue });
  }, [chat, drafts, words]);
}
