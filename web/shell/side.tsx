// The sidebar: the strip of servers, the channels of the open one, and the reader's own bar.
import { AtSign } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { OwnServer } from "../../client/servers.ts";
import { YouRow } from "../../features/accounts/view/you.tsx";
import { ChannelList } from "../../features/channels/view/channel-list.tsx";
import { ServerHead } from "../../features/servers/view/server-head.tsx";
import { ServerTabs } from "../../features/servers/view/server-tabs.tsx";
import { classNames } from "../ui/browser/class-names.ts";
import { useFrameWidth } from "../ui/browser/frame-width.ts";
import { useShown } from "../ui/browser/panel.ts";
import { Icon } from "../ui/controls/icon.tsx";
import { MentionCount } from "../ui/controls/mention-count.tsx";
import nav from "../ui/controls/nav-row.module.css";
import { Region } from "../ui/controls/region.tsx";
import { later } from "../ui/loading/later.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { paths } from "../ui/navigation/paths.ts";
import { useWords } from "../ui/words/words.ts";
import { useMentionCount } from "./mention-count.ts";
import { addressOf } from "./places.ts";
import styles from "./side.module.css";

const DirectSide = later(
  async () => (await import("../../features/direct/view/conversation-list.tsx")).DirectSide,
);

interface Props {
  server: OwnServer | undefined;
  channelId: string | undefined;
  isDirect: boolean;
  /** True where nothing is shown beside it: its list is the main content then. */
  isAlone: boolean;
  /** On a phone, shown instead of the channels when there is no server yet. */
  children?: ReactNode;
}

export function Side({ server, channelId, isDirect, isAlone, children }: Props) {
  const isNarrow = useFrameWidth() === "narrow";
  return (
    <div className={styles.side}>
      <ServerTabs currentId={server?.id} addressOf={isNarrow ? channelsOf : addressOf} />
      {isDirect ? (
        <Region>
          <DirectSide currentId={channelId} isAlone={isAlone}>
            <MentionsLink home={paths.server(null)} />
          </DirectSide>
        </Region>
      ) : server ? (
        <Region>
          <ServerHead server={server} />
          <div role={isAlone ? "main" : undefined} className={styles.channels}>
            <div className={classNames(nav.spine, styles.spine)}>
              <MentionsLink home={channelsOf(server)} />
              <ChannelList server={server} currentId={channelId} />
            </div>
          </div>
        </Region>
      ) : (
        <div className={styles.empty}>{children}</div>
      )}
      <YouRow />
    </div>
  );
}

/** On a phone a server's link shows its channels in the same pane. */
function channelsOf({ id }: OwnServer): string {
  return paths.server(id);
}

/** The link to the mentions; on a phone it is in the bottom bar instead. */
const MentionsLink = memo(function MentionsLink({ home }: { home: string }) {
  const [shown] = useShown();
  const { shell: words } = useWords();
  const count = useMentionCount();
  return (
    <nav aria-label={words.mentions} className={styles.mentions}>
      <Link
        href={`${home}?show=mentions`}
        aria-current={shown === "mentions" ? "page" : undefined}
        className={nav.row}
      >
        <Icon of={AtSign} size={16} />
        <span className={styles.name}>{words.mentions}</span>
        {count > 0 && <MentionCount count={count} isNamed />}
      </Link>
    </nav>
  );
});
