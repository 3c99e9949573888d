// The draft of a channel: its text, the message it replies to, and its files.
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Chat } from "../../../../client/chat.ts";
import { type Draft, Drafts } from "../../../../client/drafts.ts";
import type { Upload, Uploads } from "../../../../client/uploads.ts";
import { useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { uploadsOf, useUploads } from "../../../files/view/uploads.ts";
import { draftStore, thisTab } from "./draft-store.ts";
import { useReplying } from "./replying.ts";

const byChat = new WeakMap<Chat, Drafts>();

/** Opened with the first channel; pending changes are written before the page closes. */
function draftsOf(chat: Chat, ownerId: string): Drafts {
  const known = byChat.get(chat);
  if (known) return known;
  const drafts = new Drafts({ store: draftStore(ownerId), tab: thisTab(ownerId) });
  byChat.set(chat, drafts);
  void drafts.open();
  keepFiles(uploadsOf(chat), drafts);
  addEventListener("pagehide", () => drafts.write());
  document.addEventListener("visibilitychange", () => drafts.write());
  addEventListener("beforeunload", (event) => {
    if (drafts.isAtRisk) event.preventDefault();
  });
  return drafts;
}

/** Keeps finished files also while another channel is open. The room that is shown keeps what else changes. */
function keepFiles(uploads: Uploads, drafts: Drafts): void {
  uploads.subscribe(() => {
    for (const channelId of new Set(uploads.all.map((each) => each.channelId))) {
      const files = filesOf(uploads.of(channelId));
      if (files.length > (drafts.get(channelId)?.files.length ?? 0)) drafts.change(channelId, { files });
    }
  });
}

function filesOf(uploads: readonly Upload[]): Draft["files"] {
  return uploads.flatMap(({ state }) => (state.is === "done" ? [state.attachment] : []));
}

export function useDrafts(): Drafts {
  const { chat } = useHouse();
  const ownerId = useCopy((copy) => copy.user.id);
  return draftsOf(chat, ownerId);
}

const none: Draft["files"] = [];

/** The text of a channel's draft. The reply and the files are restored where they are shown. */
export function useDraftText(channelId: string): string {
  const { chat } = useHouse();
  const drafts = useDrafts();
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(channelId));
  const isOpen = useSyncExternalStore(drafts.subscribe, () => drafts.isOpen);
  const replyTo = useReplying(({ byChannel }) => byChannel[channelId]);
  const uploads = useUploads(channelId);
  const shown = useRef<Draft>(undefined);
  useEffect(() => {
    if (isOpen) drafts.takeUp(channelId);
  }, [isOpen, drafts, channelId]);
  useEffect(() => {
    // The draft as of the last render: if it has changed since, another render follows.
    if (!isOpen || draft !== drafts.get(channelId)) return;
    const [before, now] = [shown.current?.files ?? none, draft?.files ?? none];
    const wasReply = shown.current?.replyTo ?? undefined;
    const isReply = draft?.replyTo ?? undefined;
    shown.current = draft;
    // Applies what came with the draft, from an earlier page or another tab, unless something else was chosen here.
    const hasFiles = now !== before && uploads.length === before.length && uploads.length + now.length > 0;
    const hasReply = replyTo === wasReply && replyTo !== isReply;
    const { reply, stop } = useReplying.getState();
    if (hasReply) isReply ? reply(channelId, isReply) : stop(channelId);
    if (hasFiles) {
      uploadsOf(chat).clear(channelId);
      uploadsOf(chat).restore(channelId, now);
    }
    if (hasReply || hasFiles) return;
    const files = filesOf(uploads);
    const isSame = files.length === now.length && isReply === replyTo;
    if (isSame) return;
    drafts.change(channelId, { replyTo: replyTo ?? null, files });
    shown.current = drafts.get(channelId);
  }, [isOpen, drafts, draft, chat, channelId, replyTo, uploads]);
  return draft?.text ?? "";
}
