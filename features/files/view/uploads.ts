// The files that wait for a message, for views: one list for the page, for all rooms.
import { useMemo, useSyncExternalStore } from "react";
import type { Chat } from "../../../client/chat.ts";
import { type Sender, type Upload, Uploads } from "../../../client/uploads.ts";
import { afterwards } from "../../../web/ui/loading/later.tsx";
import { useHouse } from "../../../web/ui/session/house.tsx";

/** Loads the sender after the first message: a newer version of the page may remove it before somebody picks a file. */
const sender = afterwards(load);
const lists = new WeakMap<Chat, Uploads>();

export function uploadsOf(chat: Chat): Uploads {
  const known = lists.get(chat) ?? new Uploads(sender.ask);
  lists.set(chat, known);
  return known;
}

export function useUploads(channelId: string): readonly Upload[] {
  const uploads = uploadsOf(useHouse().chat);
  const all = useSyncExternalStore(uploads.subscribe, () => uploads.all);
  return useMemo(() => all.filter((each) => each.channelId === channelId), [all, channelId]);
}

export function isUnderWay({ state }: Upload): boolean {
  return state.is === "waiting" || state.is === "sending";
}

async function load(): Promise<Sender> {
  return (await import("./uploads-sending.ts")).sender;
}
