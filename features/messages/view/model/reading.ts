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
  /** Set by "mark unread": until the channel is left, or its reader talks there, looking at it does not mark it as read. */
  isPaused: boolean;
  /** True if `fresh` came while nobody looked: until the line above it was in sight, nothing is marked as read. */
  isUnseen: boolean;
  /** The last message that was marked as read here; the marker in the copy follows later. */
  readId: string | undefined;
}

export const useReading = create<Reading>(() => ({
  channelId: undefined,
  fresh: undefined,
  isPaused: false,
  isUnseen: false,
  readId: undefined,
}));

/** How long a channel is looked at before it counts as read, in milliseconds. */
const lookMs = 1000;

/** Called when a channel is opened. */
export function beginReading(channelId: string, fresh: Fresh | undefined): void {
  useReading.setState({ channelId, fresh, isPaused: false, isUnseen: false, readId: undefined });
}

/** Removes the line, and marks the channel as read up to its last message. */
export function markAsRead(channelId: string, lastMessageId: string | null): void {
  beginReading(channelId, undefined);
  if (lastMessageId !== null) void read(channelId, lastMessageId);
}

async function read(channelId: string, readId: string): Promise<void> {
  if (!(await readUpTo(channelId, readId))) return;
  useReading.setState((now) => (now.channelId === channelId ? { readId } : now));
}

/** True if the reader sees what the page shows. */
export function isLooking(): boolean {
  return document.hasFocus() && document.visibilityState === "visible";
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
  const { channelId, isAtNewest } = looking;
  useEffect(() => {
    if (!isAtNewest) return;
    const look = () => {
      const { newestId, markerId } = now.current;
      const { isPaused, isUnseen, readId } = useReading.getState();
      if (!isLooking() || isPaused || isUnseen || newestId === undefined) return;
      if (newestId > (markerId ?? "") && newestId !== readId) void read(channelId, newestId);
    };
    const timer = setInterval(look, lookMs);
    return () => clearInterval(timer);
  }, [channelId, isAtNewest]);
}
