// A page of a channel's messages, as the server lists them from some place on.
import { listMessages } from "../features/messages/calls.ts";
import type { Message } from "../features/messages/contract.ts";
import { CallError } from "./call.ts";

const pageLength = 50;
/** Around a message twice as much: half a page of short rows does not fill a tall screen. */
const aroundLength = 100;

export type Place = { before?: string; after?: string; around?: string };

export interface Page {
  /** Newest first. */
  messages: readonly Message[];
  hasOlder: boolean;
  /** Whether there was nothing newer when it was read; of a full page around an id that is not known, so false. */
  reachesNewest: boolean;
}

/** Throws CallError, also where it was given up. */
export async function listPage(
  channelId: string,
  { before, after, around }: Place,
  signal: AbortSignal,
): Promise<Page> {
  const place = { ...(before && { before }), ...(after && { after }), ...(around && { around }) };
  const length = around === undefined ? pageLength : aroundLength;
  const query = { ...place, limit: String(length) };
  const { items, hasMore } = await listMessages({ params: { channelID: channelId }, query }, signal).catch(
    (error: unknown) => {
      throw signal.aborted ? new CallError(0, {}) : error;
    },
  );
  if (around === undefined)
    return { messages: items, hasOlder: hasMore, reachesNewest: !before && !(after && hasMore) };
  // It says that there is more, not at which end: that is told by how full each half is.
  const older = items.filter(({ id }) => id < around).length;
  return {
    messages: items.toReversed(),
    hasOlder: hasMore && older >= length / 2,
    reachesNewest: !hasMore || items.length < length,
  };
}
