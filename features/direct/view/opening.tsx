// Opens conversations from anywhere on the page, and the dialog that begins one.
import { useCallback } from "react";
import { useLocation } from "wouter";
import { withConversation } from "../../../client/copy.ts";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { openConversation } from "../calls.ts";

const NewConversation = laterWithKeys(async () => (await import("./new-conversation.tsx")).NewConversation);

export function openNewConversation(): void {
  openOver((close) => <NewConversation onClose={close} />, "new-conversation");
}

/** Returns a function that opens the conversation with one person, or begins a group. It throws CallError. */
export function useOpen(): (userIds: readonly string[]) => Promise<void> {
  const { chat } = useHouse();
  const [, navigate] = useLocation();
  return useCallback(
    async (userIds) => {
      const opened = await openConversation({ body: { user_ids: [...userIds] } });
      chat.change((copy) => (copy.direct.has(opened.id) ? copy : withConversation(copy, opened)));
      navigate(paths.channel(opened), { state: { isFromHere: true } });
    },
    [chat, navigate],
  );
}
