// A page of a channel's messages, as listed by the server from a position.
import { listMessages } from "../features/messages/calls.ts";
import type { Message } from "../features/messages/contract.ts";
import { CallError } from "./call.ts";

const pageLength = 50;
/** Twice as many around a message: half a page of short rows does not fill a tall screen. */
const aroundLength = 100;

export type Place = { before?: string; after?: string; around?: string };

export interface Page {
  /** Newest first. */
  messages: readonly Message[];
  hasOlder: boolean;
  /** True if there was nothing newer when it was read; unknown, so false, for a full page around an id. */
  reachesNewest: boolean;
}

/** Throws CallError, also on a timeout or an abort. */
export async function listPage(channelId: string, place: Place, signal: AbortSignal): Promise<Page> {
  const { before, after, around } = place;
  const length = around === undefined ? pageLength : aroundLength;
  const query = { ...place, limit: String(length) };
  const { items, hasMore } = await listMessages({ params: { channelID: channelId }, query }, signal).catch(
    (error: unknown) => {
      throw signal.aborted ? new CallError(0, {}) : error;
    },
  );
  if (around === undefined)
    return { messages: items, hasOlder: hasMore, reachesNewest: !before && !(after && hasMore) };
  // The server reports more without saying at which end; the size of each half tells.
  const older = items.filter(({ id }) => id < around).length;
  return {
    messages: items.toReversed(),
    hasOlder: hasMore && older >= length / 2,
    reachesNewest: !hasMore || items.length < length,
  };
}
