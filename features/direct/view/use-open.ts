// Opens the conversation with one person, or begins a group.
import { useCallback } from "react";
import { useLocation } from "wouter";
import { showToast } from "../../../web/ui/loading/toast.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { refusalOf } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { openConversation } from "../calls.ts";
import { type OwnConversation, toOwnConversation } from "../state.ts";
import { withConversation } from "./fetched.ts";

/**
 * Returns a function that opens the conversation with one person, or begins a group, and returns it; readers who have
 * gone elsewhere meanwhile, or whose signal has ended, stay where they are. It throws CallError.
 */
export function useOpen(): (userIds: readonly string[], signal?: AbortSignal) => Promise<OwnConversation> {
  const { chat } = useHouse();
  const [, navigate] = useLocation();
  return useCallback(
    async (userIds, signal) => {
      const from = location.pathname;
      const opened = await openConversation({ body: { user_ids: [...userIds] } });
      chat.change((copy) => (copy.direct.has(opened.id) ? copy : withConversation(copy, opened)));
      if (location.pathname === from && !signal?.aborted)
        navigate(paths.channel(opened), { state: { isFromHere: true } });
      const { copy } = chat.state;
      return copy?.direct.get(opened.id) ?? toOwnConversation(copy?.user.id ?? "", opened);
    },
    [chat, navigate],
  );
}

/** Returns a function that opens the conversation with one person; a toast says why that is refused. */
export function useOpenWith(): (userId: string) => void {
  const { direct: words } = useWords();
  const open = useOpen();
  const onRefused = (error: unknown) =>
    showToast({ text: words.cannotOpen(refusalOf(error)), isAlert: true });
  return (userId) => void open([userId]).catch(onRefused);
}
