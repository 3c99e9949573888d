// A correction that was left becomes a draft when its message goes, whichever channel is open and whatever was missed.
import { useEffect } from "react";
import { useHouse } from "../../../web/ui/house.tsx";
import { showToast } from "../../../web/ui/toast.ts";
import { currentWords } from "../../../web/ui/words.ts";
import { useDrafts } from "./composer-drafts.ts";
import { moveWithMessages } from "./move-corrections.ts";

/** Mounted as long as a person is signed in. */
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
