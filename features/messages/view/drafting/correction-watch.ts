// Makes an abandoned edit a draft when its message is deleted, in any channel and even if the event was missed.
import { useEffect } from "react";
import { showToast } from "../../../../web/ui/loading/toast.ts";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import { currentWords } from "../../../../web/ui/words/words.ts";
import { useDrafts } from "./drafts.ts";
import { moveWithMessages } from "./move-corrections.ts";

/** Mounted while a person is signed in. */
export function CorrectionWatch(): null {
  const { chat } = useHouse();
  const drafts = useDrafts();
  useEffect(() => {
    const moved = (channelId: string) => {
      const { corrections: words } = currentWords();
      const room = document.querySelector<HTMLElement>("main[data-channel-id]");
      const text = room?.dataset.channelId === channelId ? words.moved : words.movedElsewhere;
      showToast({ text, isAlert: true });
    };
    return moveWithMessages(chat, drafts, moved);
  }, [chat, drafts]);
  return null;
}
