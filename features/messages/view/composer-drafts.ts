// What a room has of its draft: the text, the answered message, the files.
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Chat } from "../../../client/chat.ts";
import { Drafts } from "../../../client/drafts.ts";
import { useCopy, useHouse } from "../../../web/ui/house.tsx";
import { uploadsOf, useUploads } from "../../files/view/uploads.ts";
import { draftStore, thisTab } from "./draft-store.ts";
import { useReplying } from "./replying.ts";

const byChat = new WeakMap<Chat, Drafts>();

/** Opened with the first room; what is not written yet is written before the page goes. */
function draftsOf(chat: Chat, ownerId: string): Drafts {
  const known = byChat.get(chat);
  if (known) return known;
  const drafts = new Drafts({ store: draftStore(ownerId), tab: thisTab() });
  byChat.set(chat, drafts);
  void drafts.open();
  addEventListener("pagehide", () => drafts.write());
  document.addEventListener("visibilitychange", () => drafts.write());
  addEventListener("beforeunload", (event) => {
    if (drafts.isAtRisk) event.preventDefault();
  });
  return drafts;
}

export function useDrafts(): Drafts {
  const { chat } = useHouse();
  const ownerId = useCopy((copy) => copy.user.id);
  return draftsOf(chat, ownerId);
}

/** The text of a room's draft. The answered message and the files are put back where they are shown. */
export function useDraftText(channelId: string): string {
  const { chat } = useHouse();
  const drafts = useDrafts();
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(channelId));
  const isOpen = useSyncExternalStore(drafts.subscribe, () => drafts.isOpen);
  const replyTo = useReplying(({ byChannel }) => byChannel[channelId] ?? null);
  const uploads = useUploads(channelId);
  const isRestored = useRef(false);
  useEffect(() => {
    if (!isOpen) return;
    if (!isRestored.current) drafts.takeUp(channelId);
    const kept = drafts.get(channelId);
    if (!isRestored.current) {
      isRestored.current = true;
      const files = uploads.length === 0 ? (kept?.files ?? []) : [];
      if (kept?.replyTo && !replyTo) useReplying.getState().reply(channelId, kept.replyTo);
      uploadsOf(chat).restore(channelId, files);
      // Drawn again with what was put back, if there was anything.
      if (files.length > 0 || (kept?.replyTo && !replyTo)) return;
    }
    const files = uploads.flatMap(({ state }) => (state.is === "done" ? [state.attachment] : []));
    const isSame = files.length === (kept?.files.length ?? 0) && (kept?.replyTo ?? null) === replyTo;
    if (!isSame) drafts.change(channelId, { replyTo, files });
  }, [isOpen, drafts, chat, channelId, replyTo, uploads]);
  return draft?.text ?? "";
}
