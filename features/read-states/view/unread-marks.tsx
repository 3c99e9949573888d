// What waits for the reader, outside of the page: in its title, its icon among the browser's tabs, and on the installed app.
import { useEffect } from "react";
import { mentionsIn, wantsReading } from "../../../client/unread.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { countCalls } from "../../instance/view/title.ts";
import { useMutingsEnd } from "./mutings-end.ts";

/** The icons of the page, by what there is to be seen. */
const icons = { plain: "/mark.svg", unread: "/mark-unread.svg", mention: "/mark-mention.svg" };

/** Drawn once for the whole page; shows nothing in it. */
export function UnreadMarks() {
  useMutingsEnd();
  const calls = useCopy(mentionsIn);
  // What is muted is not told of.
  const isUnread = useCopy((copy) =>
    copy.servers.some(({ channels }) => channels.some((channel) => wantsReading(copy, channel))),
  );
  useEffect(() => {
    countCalls(calls);
    void (calls > 0 ? navigator.setAppBadge?.(calls) : navigator.clearAppBadge?.())?.catch(() => {});
  }, [calls]);
  const icon = icons[calls > 0 ? "mention" : isUnread ? "unread" : "plain"];
  useEffect(() => {
    showIcon(icon);
  }, [icon]);
  // Nobody is signed in any more, for whom anything could wait.
  useEffect(
    () => () => {
      countCalls(0);
      void navigator.clearAppBadge?.().catch(() => {});
      showIcon(icons.plain);
    },
    [],
  );
  return null;
}

function showIcon(icon: string): void {
  document.querySelector("link[rel=icon]")?.setAttribute("href", icon);
}
