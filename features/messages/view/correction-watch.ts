// A correction that was left goes with its message, whichever channel is open and whatever was missed.
import { useEffect } from "react";
import type { Chat } from "../../../client/chat.ts";
import { useHouse } from "../../../web/ui/house.tsx";
import { type Look, watchDeletions } from "./deletions.ts";
import { dropCorrection, keptCorrections } from "./kept-corrections.ts";

/** Mounted as long as a person is signed in. */
export function CorrectionWatch(): null {
  const { chat } = useHouse();
  useEffect(() => dropWithMessages(chat), [chat]);
  return null;
}

/** Drops kept corrections of deleted messages, also of those deleted before the call. Returns the function that stops listening. */
export function dropWithMessages(chat: Pick<Chat, "listen" | "state">, look: Omit<Look, "atOnce"> = {}) {
  const watched = { ids: keptCorrections, gone: (id: string) => dropCorrection({ id }) };
  return watchDeletions(chat, watched, { ...look, atOnce: chat.state.generation > 0 });
}
