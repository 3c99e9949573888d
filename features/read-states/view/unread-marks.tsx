// Unread marks outside of the page: in its title, its tab icon, and on the installed app.
import { useEffect } from "react";
import { mentionsIn, unreadIn, wantsReading } from "../../../client/unread.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { lastWriterIn } from "../../direct/view/last-writer.ts";
import { countCalls } from "../../instance/view/title.ts";
import { useMutingsEnd } from "./mutings-end.ts";

/** The icons of the page, by what is unread. */
const icons = { plain: "/mark.svg", unread: "/mark-unread.svg", mention: "/mark-mention.svg" };

/** Mounted once for the whole page; renders nothing. */
export function UnreadMarks() {
  useMutingsEnd();
  const { direct: words } = useWords();
  const calls = useCopy((copy) => mentionsIn(copy) + unreadIn(copy));
  const writer = useCopy(lastWriterIn);
  const news = writer === undefined ? undefined : words.wrote(writer);
  // Muted channels do not count.
  const isUnread = useCopy((copy) =>
    copy.servers.some((server) =>
      [...server.channels.values()].some((channel) => wantsReading(copy, channel)),
    ),
  );
  useEffect(() => {
    countCalls(calls, news);
  }, [calls, news]);
  useEffect(() => {
    void (calls > 0 ? navigator.setAppBadge?.(calls) : navigator.clearAppBadge?.())?.catch(() => {});
  }, [calls]);
  const icon = icons[calls > 0 ? "mention" : isUnread ? "unread" : "plain"];
  useEffect(() => {
    showIcon(icon);
  }, [icon]);
  // Nobody is signed in any more.
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
