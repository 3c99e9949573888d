// An edit whose message is deleted before it is saved: its text moves into the composer of the channel.
import { useEffect, useRef } from "react";
import { showToast } from "../../../../web/ui/loading/toast.ts";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import { watchDeletions } from "./deletions.ts";
import { useDrafts } from "./drafts.ts";
import { useEditing } from "./editing.ts";
import { moveCorrection } from "./move-corrections.ts";

/** Moves the text of an edit into the composer if its message is deleted meanwhile. */
export function useRescue(message: Message, text: string): void {
  const { chat } = useHouse();
  const { corrections: words } = useWords();
  const drafts = useDrafts();
  const now = useRef({ message, text });
  now.current = { message, text };
  useEffect(() => {
    const rescue = () => {
      const { message, text } = now.current;
      // The edit was cancelled, saved or moved meanwhile.
      if (useEditing.getState().messageId !== message.id) return;
      const isMoved = moveCorrection(drafts, message, text.trim() === message.content ? "" : text);
      if (isMoved) showToast({ text: words.moved, isAlert: true });
    };
    return watchDeletions(chat, { ids: () => [now.current.message.id], gone: rescue });
  }, [chat, drafts, words]);
}
