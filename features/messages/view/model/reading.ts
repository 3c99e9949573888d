// The new messages of the open channel: the line above them stays until the channel is left or marked as read.
import { useEffect, useRef } from "react";
import { create } from "zustand";
import { readUpTo } from "../../../../client/marker.ts";

/** The messages after `after` up to `upTo`; `after` is null where nothing was read. */
export interface Fresh {
  after: string | null;
  upTo: string;
}

interface Reading {
  channelId: string | undefined;
  fresh: Fresh | undefined;
  /** The newest loaded message of the channel. */
  newestId: string | undefined;
  /** Set by "mark unread": until the channel is left, looking at it does not mark it as read. */
  isPaused: boolean;
}

export const useReading = create<Reading>(() => ({
  channelId: undefined,
  fresh: undefined,
  newestId: undefined,
  isPaused: false,
}));

/** How long a channel is looked at before it counts as read, in milliseconds. */
const lookMs = 1000;

/** Called when a channel is opened. */
export function beginReading(channelId: string, fresh: Fresh | undefined): void {
  useReading.setState({ channelId, fresh, isPaused: false });
}

/** Removes the line, and marks the channel as read up to its last message. */
export function markAsRead(channelId: string, lastMessageId: string | null): void {
  beginReading(channelId, undefined);
  if (lastMessageId !== null) void readUpTo(channelId, lastMessageId);
}

interface Looking {
  channelId: string;
  /** The newest message and all before it have been in view. */
  isAtNewest: boolean;
  newestId: string | undefined;
  markerId: string | null | undefined;
}

/** Marks as read while somebody looks: the window has the focus and the newest message is in view, for a second. */
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
