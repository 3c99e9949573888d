// The page without content: no server yet, an unknown address, or a server or channel that has gone.
import { useLayoutEffect, useRef } from "react";
import { useInstance } from "../../features/instance/view/instance.ts";
import { useTitle } from "../../features/instance/view/title.ts";
import { useFrameWidth } from "../ui/browser/frame-width.ts";
import { PageTitle } from "../ui/controls/page-title.tsx";
import { later } from "../ui/loading/later.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { useCopy } from "../ui/session/house.tsx";
import { useWords } from "../ui/words/words.ts";
import styles from "./nothing.module.css";
import type { WasHere } from "./was-here.ts";

const LeftBehind = later(
  async () => (await import("../../features/messages/view/drafting/left-behind.tsx")).LeftBehind,
);
const Start = later(async () => (await import("../../features/servers/view/start.tsx")).Start);

interface Props {
  hasServers: boolean;
  /** The server and channel that were here until just now. */
  was?: WasHere | undefined;
  /** The channel in the address. */
  channelId?: string | undefined;
  /** The title of what a phone shows instead. */
  shown?: string | undefined;
  /** True if the sidebar shows no server. */
  isAlone?: boolean;
}

export function Nothing({ hasServers, was, channelId, shown, isAlone = false }: Props) {
  const isNarrow = useFrameWidth() === "narrow";
  const instance = useInstance();
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, lead } = useSentences(was);
  const { shell: words, servers } = useWords();
  useTitle(hasServers || was ? (shown ?? title) : servers.startTitle);
  // A layout effect, because the guard against lost focus would otherwise move the focus first.
  useLayoutEffect(() => {
    // The focused element has gone with the room.
    if (was && document.activeElement === document.body) heading.current?.focus();
  }, [was]);
  // On a phone the first pane shows the start.
  if (!hasServers && !was) return isNarrow ? <div /> : <Start />;
  return (
    <main id="messages" data-region="messages" className={styles.nothing} aria-label={title}>
      <PageTitle isAlways={isAlone}>{was?.server.name ?? instance?.name ?? "Hearth"}</PageTitle>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p role={was && "status"}>{lead}</p>
      {channelId !== undefined && <LeftBehind channelId={channelId} />}
      <Link href="/">{words.backHome}</Link>
    </main>
  );
}

function useSentences(was: WasHere | undefined): { title: string; lead: string } {
  const { shell: words } = useWords();
  const isMember = useCopy((copy) => copy.servers.some(({ id }) => id === was?.server.id));
  if (!was) return { title: words.nothingHere, lead: words.nothingHereLead };
  if (!isMember) return { title: words.serverGone(was.server.name), lead: words.serverGoneLead };
  return { title: words.channelGone(was.channel?.name ?? ""), lead: words.channelGoneLead };
}
