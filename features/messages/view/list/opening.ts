// Opening a channel: what is fetched for it, and where it opens. An open channel is refreshed after a sleep.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { CallError } from "../../../../client/call.ts";
import type { Copy } from "../../../../client/copy.ts";
import { channelIn } from "../../../../client/servers.ts";
import { shownOf } from "../../../../client/window.ts";
import { type House, useChat, useHouse } from "../../../../web/ui/session/house.tsx";
import type { OwnChannel } from "../../../channels/state.ts";
import { beginReading, type Fresh } from "../model/reading.ts";

/** The position at which a channel opens. */
export type Start =
  | { is: "message"; id: string }
  | { is: "fresh" }
  | { is: "left"; id: string; top: number }
  | { is: "bottom" };

interface Opening {
  /** Undefined while it is being fetched. */
  start: Start | undefined;
  /** Rises when an open channel is opened again, as an earlier page's cache ended before the first new message. */
  times: number;
  refusal: CallError | undefined;
  retry(): void;
}

interface Opened {
  start: Start;
  fresh: Fresh | undefined;
  /** How often the channel was reopened automatically: one from an earlier page's cache is reopened after READY. */
  times: number;
  /** True if the cache of an earlier page is shown. */
  isKept: boolean;
}

/** Sorts before the first message of any channel. */
export const firstId = "00000000-0000-0000-0000-000000000000";

/** Scroll positions of channels that were left: a message, and its distance from the top in pixels. */
const left = new Map<string, { id: string; top: number }>();

export function leaveAt(channelId: string, place: { id: string; top: number } | undefined): void {
  if (place) left.set(channelId, place);
  else left.delete(channelId);
}

/** After this time the reader is told that nothing came, and may retry; a late response is shown all the same. */
const lateMs = 15_000;
/** Delay before a failed refresh is retried, in milliseconds: until it succeeds nothing new is shown. */
const restMs = 3000;

/** `near` returns the message in the reader's view once the channel is open; undefined at the bottom. */
export function useOpening(
  channel: OwnChannel,
  target: string | undefined,
  near: () => string | undefined,
): Opening {
  const house = useHouse();
  const { history } = house;
  const generation = useChat((state) => state.generation);
  const [shown, setShown] = useState<Opened>();
  const [refusal, setRefusal] = useState<CallError>();
  const [tries, setTries] = useState(0);
  const opened = useRef<Opened>(undefined);

  // Shows available messages together with the channel, before anything else is painted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try, and each READY that replaced the copy, fetches anew.
  useLayoutEffect(() => {
    let isOver = false;
    history.show(channel.id);
    let timer = opened.current ? undefined : setTimeout(() => setRefusal(new CallError(0, {})), lateMs);
    const opening = openFrom(house, { channel, target, near }, opened.current);
    if (opened.current && generation > 0) opened.current = { ...opened.current, isKept: false };
    const show = (now: Opened | undefined): undefined => {
      if (isOver || !now) return;
      beginReading(channel.id, now.fresh);
      opened.current = now;
      setShown(now);
    };
    const settle = (failure?: CallError) => {
      if (isOver) return;
      clearTimeout(timer);
      setRefusal(failure);
      if (failure?.passes && opened.current) timer = setTimeout(() => setTries((n) => n + 1), restMs);
    };
    if (opening instanceof Promise)
      opening.then(show).then(settle, (error: unknown) => settle(CallError.from(error)));
    else settle(show(opening));
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [house, channel.id, generation, tries]);

  const retry = useCallback(() => {
    history.giveUp(channel.id);
    setRefusal(undefined);
    setTries((n) => n + 1);
  }, [history, channel.id]);
  useRetryWhenBack(refusal, retry);
  return { start: shown?.start, times: shown?.times ?? 0, refusal, retry };
}

interface Wish {
  channel: OwnChannel;
  target: string | undefined;
  near(): string | undefined;
}

/**
 * Opens at once from available messages, otherwise after fetching them. Undefined: the channel was open before, and
 * stale messages were refreshed.
 */
function openFrom(
  house: House,
  { channel, target, near }: Wish,
  before: Opened | undefined,
): Opened | undefined | Promise<Opened | undefined> {
  const { chat, history } = house;
  const { copy, generation } = chat.state;
  if (!copy) return undefined;
  const { start, fresh } = startOf(copy, channel.id, target);
  const isAnew = before?.isKept && generation > 0 && near() === undefined && fresh !== undefined;
  if (before && !isAnew)
    return history.isFresh(channel.id) ? undefined : history.renew(channel.id, near()).then(() => undefined);
  const openedAt = (reached: Start): Opened => {
    return { start: reached, fresh, times: (before?.times ?? -1) + 1, isKept: generation === 0 };
  };
  if (isHere(house, channel.id, start)) return openedAt(start);
  const isEnough = () => generation === 0 && history.isFresh(channel.id) && target === undefined;
  return reach(start, () => fetchFor(house, channel.id, start), isEnough).then(openedAt);
}

/** Without a network the cache of an earlier page is enough; a message that is not in it counts as missing. */
async function reach(start: Start, fetchIt: () => Promise<void>, isEnough: () => boolean): Promise<Start> {
  try {
    await fetchIt();
    return start;
  } catch (error) {
    if (!isEnough()) throw error;
    return { is: "bottom" };
  }
}

/** Retries automatically when the connection is back. */
function useRetryWhenBack(refusal: CallError | undefined, retry: () => void): void {
  const isLive = useChat(({ connection }) => connection.is === "live");
  const wasLive = useRef(isLive);
  useEffect(() => {
    const isBack = isLive && !wasLive.current;
    wasLive.current = isLive;
    if (isBack && refusal?.passes) retry();
  }, [isLive, refusal, retry]);
}

function startOf(
  copy: Copy,
  channelId: string,
  target: string | undefined,
): { start: Start; fresh: Fresh | undefined } {
  const last = channelIn(copy, channelId)?.last_message_id ?? null;
  const after = markerOf(copy, channelId);
  const fresh = last !== null && last > (after ?? "") ? { after, upTo: last } : undefined;
  if (target !== undefined) return { start: { is: "message", id: target }, fresh };
  if (fresh) return { start: { is: "fresh" }, fresh };
  const place = left.get(channelId);
  return { start: place ? { is: "left", ...place } : { is: "bottom" }, fresh };
}

/** True if the start position and the messages to read from there are loaded and still valid. */
function isHere({ chat, history }: House, channelId: string, start: Start): boolean {
  if (!history.isFresh(channelId)) return false;
  if (start.is === "bottom") return true;
  const { copy } = chat.state;
  const { messages, hasOlder } = shownOf(copy?.windows.get(channelId) ?? {});
  if (start.is !== "fresh") return messages.some(({ id }) => id === start.id);
  const oldest = messages.at(-1)?.id;
  return oldest === undefined || !hasOlder || oldest <= (markerOf(copy, channelId) ?? "");
}

/**
 * Fetches enough messages to include the start position. With few unread messages, the newest are among those around
 * the marker; with many they follow, for the way back.
 */
async function fetchFor({ chat, history }: House, channelId: string, start: Start): Promise<void> {
  if (start.is === "bottom") return history.newest(channelId);
  if (start.is !== "fresh") return history.around(channelId, start.id);
  await history.around(channelId, markerOf(chat.state.copy, channelId) ?? firstId);
  if (!history.isFresh(channelId)) history.newest(channelId, true).catch(unheard);
}

/** Ignores a failure: what leads to the newest messages fetches them again. */
const unheard = () => {};

export function markerOf(copy: Copy | undefined, channelId: string): string | null {
  return copy?.readStates.get(channelId)?.last_read_id ?? null;
}
