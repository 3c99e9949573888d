// What waits for the reader, outside of the page: in its title, its icon among the browser's tabs, and on the installed app.
import { useEffect } from "react";
import type { Copy } from "../../../client/copy.ts";
import { useCopy } from "../../../web/ui/house.tsx";
import type { Channel } from "../../channels/contract.ts";
import { countCalls } from "../../instance/view/title.ts";

/** The icons of the page, by what there is to be seen. */
const icons = { plain: "/mark.svg", unread: "/mark-unread.svg", mention: "/mark-mention.svg" };

/** Drawn once for the whole page; shows nothing in it. */
export function UnreadMarks() {
  const calls = useCopy(({ readStates }) =>
    [...readStates.values()].reduce((sum, { mention_count }) => sum + mention_count, 0),
  );
  const isUnread = useCopy(hasUnread);
  useEffect(() => {
    countCalls(calls);
    void (calls > 0 ? navigator.setAppBadge?.(calls) : navigator.clearAppBadge?.())?.catch(() => {});
  }, [calls]);
  const icon = icons[calls > 0 ? "mention" : isUnread ? "unread" : "plain"];
  useEffect(() => {
    document.querySelector("link[rel=icon]")?.setAttribute("href", icon);
  }, [icon]);
  return null;
}

/** What is muted is not told of. */
function hasUnread({ servers, readStates, notificationSettings }: Copy): boolean {
  const now = new Date().toISOString();
  const isOver = ({ muted_until }: { muted_until: string | null }) => (muted_until ?? "") <= now;
  const mutedServers = notificationSettings.servers
    .filter((each) => !isOver(each))
    .map((each) => each.server_id);
  const muted = notificationSettings.channels.filter((each) => !isOver(each)).map((each) => each.channel_id);
  const isNew = ({ id, type, last_message_id }: Channel) =>
    type === "text" &&
    !muted.includes(id) &&
    (last_message_id ?? "") > (readStates.get(id)?.last_read_id ?? "");
  return servers.some(({ id, channels }) => !mutedServers.includes(id) && channels.some(isNew));
}
