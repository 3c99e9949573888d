// The person who wrote last in an unread conversation, for places outside of the page.
import type { Copy } from "../../../client/copy.ts";
import { wantsReading } from "../../../client/unread.ts";
import { listedIn } from "./listed.ts";

/** Returns their name; undefined if no conversation is unread. */
export function lastWriterIn(copy: Copy): string | undefined {
  const newest = listedIn(copy.direct).find((each) => wantsReading(copy, each));
  return newest?.recipients.find(({ id }) => id === newest.last_message?.author_id)?.display_name;
}
