// The frame of the page: servers and channels, the room, and the members. On a phone it shows one of these at a time.
import { type ReactNode, useEffect, useRef } from "react";
import { Redirect } from "wouter";
import { asSeenBy, type OwnServer } from "../../client/servers.ts";
import { voiceRoom } from "../../features/channels/view/slots.ts";
import { lastOpenIn } from "../../features/direct/view/last-open.ts";
import { Room } from "../../features/messages/view/room.tsx";
import { classNames } from "../ui/browser/class-names.ts";
import { useFrameWidth } from "../ui/browser/frame-width.ts";
import { useMembersPanel, useShown } from "../ui/browser/panel.ts";
import { Region } from "../ui/controls/region.tsx";
import { doneLater, following, later } from "../ui/loading/later.tsx";
import { filled } from "../ui/loading/slots.ts";
import { paths } from "../ui/navigation/paths.ts";
import { useCopy } from "../ui/session/house.tsx";
import { useViewedAs } from "../ui/session/viewed.ts";
import { useWords } from "../ui/words/words.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { useEscape } from "./escape.ts";
import styles from "./frame.module.css";
import { HouseKeys } from "./house-keys.tsx";
import { useKeyboardInset } from "./keyboard-inset.ts";
import { addressOf, keepPlace, serverToOpen } from "./places.ts";
import { Side } from "./side.tsx";
import { useWasHere, type WasHere } from "./was-here.ts";

const focusMessages = doneLater(async () => (await import("./regions.ts")).focusMessages);
const MembersPanel = following(
  async () => (await import("../../features/members/view/members-panel.tsx")).MembersPanel,
);
const SwipeBack = following(async () => (await import("./swipe.ts")).SwipeBack);
const Mentions = later(async () => (await import("./mentions.tsx")).Mentions);
const DirectRoom = later(async () => (await import("./direct-room.tsx")).DirectRoom);
const Nothing = later(async () => (await import("./nothing.tsx")).Nothing);
const Start = later(async () => (await import("../../features/servers/view/start.tsx")).Start);

interface Props {
  serverId?: string;
  channelId?: string | undefined;
  /** True at the direct conversations; `channelId` is one of them. */
  isDirect?: boolean;
  /** True if no page has this address. */
  isNowhere?: boolean;
}

export function Frame({ serverId, channelId, isDirect = false, isNowhere = false }: Props) {
  const servers = useCopy((copy) => copy.servers);
  const isNarrow = useFrameWidth() === "narrow";
  const [shown] = useShown();
  const panel = useMembersPanel();
  useEscape(panel);
  useKeyboardInset();
  const lastTalkId = useCopy(({ direct }) => (isDirect ? lastOpenIn(direct)?.id : undefined));
  const known = serverId ? servers.find(({ id }) => id === serverId) : serverToOpen(servers);
  const wanted = isDirect ? undefined : known;
  const server = isNowhere ? undefined : wanted;
  const showsMentions = shown === "mentions";
  const was = useWasHere(serverId, server, channelId);
  const toOpen = server
    ? addressOf(server)
    : lastTalkId && paths.channel({ server_id: null, id: lastTalkId });
  if (toOpen && !channelId && !showsMentions && !isNarrow) return <Redirect to={toOpen} replace />;
  const pane = paneOf({
    showsMentions,
    showsRoom: channelId !== undefined || (!server && !isDirect && (servers.length > 0 || was !== undefined)),
  });
  const hasPanel = panel.isShown && server !== undefined && channelId !== undefined && !showsMentions;
  return (
    <div className={styles.frame}>
      {channelId !== undefined && !showsMentions && <SkipLink />}
      <HouseKeys server={wanted} channelId={channelId} />
      <Panes
        className={classNames(styles.app, styles[hasPanel && isNarrow ? "panel" : pane])}
        hasPanel={hasPanel}
      >
        <Side
          server={wanted}
          channelId={showsMentions ? undefined : channelId}
          isDirect={isDirect}
          isAlone={isNarrow && pane === "side" && (isDirect || wanted !== undefined)}
        >
          {isNarrow && servers.length === 0 && <Start />}
        </Side>
        {showsMentions ? (
          <Mentions isAlone={!wanted && !isDirect} />
        ) : isDirect ? (
          <DirectRoom channelId={channelId} />
        ) : server && channelId ? (
          <Open server={server} channelId={channelId} was={was} />
        ) : (
          <Nothing
            hasServers={isNowhere || channelId !== undefined || servers.length > 0}
            was={was}
            channelId={channelId}
            shown={pane === "side" ? server?.name : undefined}
            isAlone={!wanted}
          />
        )}
        {hasPanel && (
          <div className={styles.beside}>
            <Region>
              <MembersPanel serverId={server.id} />
            </Region>
          </div>
        )}
        <BottomBar
          home={isDirect || wanted ? paths.server(wanted?.id ?? null) : "/"}
          showsMentions={showsMentions}
        />
      </Panes>
    </div>
  );
}

interface PanesProps {
  className: string;
  hasPanel: boolean;
  children: ReactNode;
}

function Panes({ className, hasPanel, children }: PanesProps) {
  const pane = useRef<HTMLDivElement>(null);
  return (
    <div ref={pane} className={className}>
      {children}
      <SwipeBack pane={pane} shown={className} hasPanel={hasPanel} />
    </div>
  );
}

/** The first tab stop of the page. */
function SkipLink() {
  const { shell: words } = useWords();
  return (
    // biome-ignore lint/a11y/useValidAnchor: it moves the focus, which an address alone would lose when rows change.
    <a
      href="#messages"
      className={styles.skip}
      onClick={(event) => {
        event.preventDefault();
        focusMessages();
      }}
    >
      {words.skip}
    </a>
  );
}

/** Returns the pane that a phone shows, leaving the panel aside. */
function paneOf({ showsMentions, showsRoom }: { showsMentions: boolean; showsRoom: boolean }) {
  if (showsMentions) return "mentions";
  return showsRoom ? "room" : "side";
}

interface OpenProps {
  server: OwnServer;
  channelId: string;
  was: WasHere | undefined;
}

function Open({ server, channelId, was }: OpenProps) {
  const channel = server.channels.get(channelId);
  const isThere = channel !== undefined;
  useEffect(() => {
    if (isThere) keepPlace(server.id, channelId);
  }, [isThere, server.id, channelId]);
  const roleId = useViewedAs(channelId);
  const isVoice = channel?.type === "voice";
  if (!channel || (isVoice && voiceRoom.filledWith.length === 0))
    return <Nothing hasServers was={was} channelId={channelId} />;
  const seen = roleId === undefined ? channel : asSeenBy(roleId, server, channel);
  return (
    <Region key={channelId}>
      {isVoice ? filled(voiceRoom, { channel: seen }) : <Room channel={seen} />}
    </Region>
  );
}
