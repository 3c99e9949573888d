// What is new in the channel that is open: the line above it stands still until it is left, or marked as read.
import { useEffect, useRef } from "react";
import { create } from "zustand";
import { idBefore, readUpTo, unreadFrom } from "../../../../client/marker.ts";
import type { Message } from "../../contract.ts";

/** From the message after `after` to `upTo`; `after` is null where nothing was read. */
export interface Fresh {
  after: string | null;
  upTo: string;
}

interface Reading {
  channelId: string | undefined;
  fresh: Fresh | undefined;
  /** The newest message of the channel that is loaded. */
  newestId: string | undefined;
  /** Marked as unread by hand: it is not read by being looked at, until the channel is left. */
  isPaused: boolean;
}

export const useReading = create<Reading>(() => ({
  channelId: undefined,
  fresh: undefined,
  newestId: undefined,
  isPaused: false,
}));

/** A channel is looked at for so long before it counts as read. */
const lookMs = 1000;

/** A channel is opened. */
export function beginReading(channelId: string, fresh: Fresh | undefined): void {
  useReading.setState({ channelId, fresh, isPaused: false });
}

/** "Mark unread from here": the message and all after it are new. Throws CallError. */
export async function markUnreadFrom(message: Pick<Message, "channel_id" | "id">): Promise<void> {
  const before = useReading.getState();
  if (before.channelId === message.channel_id) {
    useReading.setState({
      fresh: { after: idBefore(message.id), upTo: before.newestId ?? message.id },
      isPaused: true,
    });
  }
  try {
    await unreadFrom(message);
  } catch (error) {
    useReading.setState(before);
    throw error;
  }
}

/** The line goes, and the channel is read up to its last message. */
export function markAsRead(channelId: string, lastMessageId: string | null): void {
  beginReading(channelId, undefined);
  if (lastMessageId !== null) void readUpTo(channelId, lastMessageId);
}

interface Looking {
  channelId: string;
  /** The newest message is in sight, and all before it were. */
  isAtNewest: boolean;
  newestId: string | undefined;
  markerId: string | null | undefined;
}

/** Reads on while somebody looks: the window has the focus and the newest message is in sight, for a second. */
export function useLooking(looking: Looking): void {
  const now = useRef(looking);
  now.current = looking;
  const { channelId, isAtNewest, newestId } = looking;
  useEffect(() => useReading.setState({ newestId }), [newestId]);
  useEffect(() => {
    if (!isAtNewest) return;
    let sent = "";
    const look = async () => {
      const { newestId, markerId } = now.current;
      if (!document.hasFocus() || document.visibilityState !== "visible") return;
      if (useReading.getState().isPaused || newestId === undefined) return;
      if (newestId <= (markerId ?? "") || newestId === sent) return;
      if (await readUpTo(channelId, newestId)) sent = newestId;
    };
    const timer = setInterval(look, lookMs);
    return () => clearInterval(timer);
  }, [channelId, isAtNewest]);
}
