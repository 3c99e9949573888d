// The person who wrote last in an unread conversation, for places outside of the page.
import type { Copy } from "../../../client/copy.ts";
import { wantsReading } from "../../../client/unread.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { listedIn } from "./listed.ts";

/** Returns their name; undefined if no conversation is unread but the one that is being looked at. */
export function lastWriterIn(copy: Copy): string | undefined {
  const newest = listedIn(copy.direct).find((each) => wantsReading(copy, each));
  if (newest && document.hasFocus() && location.pathname.startsWith(paths.channel(newest))) return undefined;
  return newest?.recipients.find(({ id }) => id === newest.last_message?.author_id)?.display_name;
}
