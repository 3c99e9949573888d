// Drafts in the browser's database, and what a room has of them: the text, the answered message, the files.
import { entries } from "idb-keyval";
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Chat } from "../../../client/chat.ts";
import { type Draft, type DraftStore, Drafts } from "../../../client/drafts.ts";
import { draftDatabase, draftKey } from "../../../web/ui/draft-database.ts";
import { useCopy, useHouse } from "../../../web/ui/house.tsx";
import { keep, kept } from "../../../web/ui/kept.ts";
import { written } from "../../../web/ui/written.ts";
import { uploadsOf, useUploads } from "../../files/view/uploads.ts";
import { useReplying } from "./replying.ts";

const byChat = new WeakMap<Chat, Drafts>();

/** Opened with the first room; what is not written yet is written before the page goes. */
function draftsOf(chat: Chat, ownerId: string): Drafts {
  const known = byChat.get(chat);
  if (known) return known;
  const drafts = new Drafts({ store: draftStore(ownerId) });
  byChat.set(chat, drafts);
  void drafts.open();
  addEventListener("pagehide", () => drafts.write());
  document.addEventListener("visibilitychange", () => drafts.write());
  addEventListener("beforeunload", (event) => {
    if (drafts.isAtRisk) event.preventDefault();
  });
  return drafts;
}

function draftStore(ownerId: string): DraftStore {
  const store = draftDatabase();
  const keyOf = (channelId: string) => draftKey(ownerId, channelId);
  // A browser that refuses its database throws at once: asynchronous, so that it is a promise that fails.
  async function write(channelId: string, draft: Draft | null) {
    const key = keyOf(channelId);
    noteOnWay(key, draft);
    await written(store, (kept) => (draft ? kept.put(draft, key) : kept.delete(key)));
    // Unless a newer one is on its way by now.
    if (onWay()[key]?.changedAt === draft?.changedAt) noteOnWay(key, undefined);
  }
  return {
    async all() {
      const drafts = new Map<string, Draft | null>(await entries<string, Draft>(store));
      for (const [key, draft] of Object.entries(onWay())) drafts.set(key, draft);
      return [...drafts].flatMap(([key, draft]) => (draft && key.startsWith(keyOf("")) ? [draft] : []));
    },
    keep: (draft) => write(draft.channelId, draft),
    drop: (channelId) => write(channelId, null),
  };
}

const onWayKey = "drafts-on-way";

/** By key, what is on its way into the database; null: it is dropped there. */
function onWay(): Readonly<Record<string, Draft | null>> {
  return kept(onWayKey) ?? {};
}

/** A page that goes in this moment may not get it into the database, but here at once. Undefined: it has arrived. */
function noteOnWay(key: string, draft: Draft | null | undefined): void {
  keep(onWayKey, { ...onWay(), [key]: draft });
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
