// A correction that was left becomes a draft when its message goes, whichever channel is open and whatever was missed.
import { useEffect } from "react";
import type { Chat } from "../../../client/chat.ts";
import type { Drafts } from "../../../client/drafts.ts";
import { useHouse } from "../../../web/ui/house.tsx";
import { showToast } from "../../../web/ui/toast.ts";
import { currentWords } from "../../../web/ui/words.ts";
import { useDrafts } from "./composer-drafts.ts";
import { moveCorrection } from "./correction.ts";
import { type Look, watchDeletions } from "./deletions.ts";
import { correctionOf, keptCorrections } from "./kept-corrections.ts";

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

/**
 * Moves kept corrections of deleted messages into the drafts of their channels, also of those deleted before the call.
 * Returns the function that stops listening.
 */
export function moveWithMessages(
  chat: Pick<Chat, "listen" | "state">,
  drafts: Drafts,
  moved: (channelId: string) => void,
  look: Omit<Look, "atOnce"> = {},
) {
  const watched = {
    ids: () => keptCorrections().map(({ id }) => id),
    gone(id: string) {
      const message = keptCorrections().find((each) => each.id === id);
      if (message && moveCorrection(drafts, message, correctionOf(message) ?? "")) moved(message.channel_id);
    },
  };
  return watchDeletions(chat, watched, { ...look, atOnce: chat.state.generation > 0 });
}
