// Corrections that are not saved yet: kept by message, over a reload too, until they are saved or given up.
import { useEffect, useRef } from "react";
import { is } from "../../../protocol/event.ts";
import { useHouse } from "../../../web/ui/house.tsx";
import { dropFromTab, keepInTab, keptInTab } from "../../../web/ui/tab-store.ts";
import { showToast } from "../../../web/ui/toast.ts";
import { useWords } from "../../../web/ui/words.ts";
import type { Message } from "../contract.ts";
import { messageDeleted } from "../events.ts";
import { useDrafts } from "./composer-drafts.ts";
import { useEditing } from "./editing.ts";

const prefix = "hearth.correction/";

export function correctionOf({ id }: Message): string | undefined {
  return keptInTab(prefix + id);
}

export function keepCorrection({ id }: Message, text: string): void {
  keepInTab(prefix + id, text);
}

export function dropCorrection({ id }: Message): void {
  dropFromTab(prefix + id);
}

/** Puts a correction into the composer when its message is deleted meanwhile. */
export function useRescue(message: Message, text: string): void {
  const { chat } = useHouse();
  const { messages: words } = useWords();
  const drafts = useDrafts();
  const now = useRef({ message, text });
  now.current = { message, text };
  useEffect(
    () =>
      chat.listen((frame) => {
        const { message, text } = now.current;
        if (!is(frame, messageDeleted) || frame.data.id !== message.id) return;
        useEditing.getState().stop();
        dropCorrection(message);
        if (text.trim() === message.content) return;
        const before = drafts.get(message.channel_id)?.text;
        drafts.change(message.channel_id, { text: before ? `${before}\n\n${text}` : text });
        showToast({ text: words.correctionMoved, isAlert: true });
      }),
    [chat, drafts, words],
  );
}
