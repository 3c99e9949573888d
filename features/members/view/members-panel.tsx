// The panel of a server's members beside its rooms: by role, and offline ones.
import { ArrowLeft, X } from "lucide-react";
import { memo, useEffect, useMemo, useReducer, useState, useSyncExternalStore } from "react";
import { CallError } from "../../../client/call.ts";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { useFrameWidth } from "../../../web/ui/browser/frame-width.ts";
import { leavePanel, useMembersPanel } from "../../../web/ui/browser/panel.ts";
import { Button, IconButton } from "../../../web/ui/controls/button.tsx";
import { PageTitle } from "../../../web/ui/controls/page-title.tsx";
import { isEscape } from "../../../web/ui/keys/keys.ts";
import { useChat, useHouse, useOfServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Member } from "../contract.ts";
import { groupsOf } from "./groups.ts";
import styles from "./members-panel.module.css";
import { PeopleList } from "./people-list.tsx";

/** Memoised: most events of a server are messages, which change nothing here. */
export const MembersPanel = memo(function MembersPanel({ serverId }: { serverId: string }) {
  const { members: words, parts } = useWords();
  const panel = useMembersPanel();
  const isNarrow = useFrameWidth() === "narrow";
  const name = useOfServer(serverId, (server) => server.name) ?? "";
  const server = usePeopleOf(serverId);
  const { members, isListed, hasMore, hasFailed, fetchMore } = useMembersOf(serverId, server);
  const close = () => leavePanel(panel.close);
  const groups = useMemo(() => groupsOf(members, server, !hasMore), [members, server, hasMore]);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape and the button close it, too. */}
      <div className={styles.scrim} onClick={close} />
      <aside
        aria-label={words.members}
        className={styles.panel}
        data-region="panel"
        onKeyDown={(event) => {
          if (isEscape(event) && !event.defaultPrevented) close();
        }}
      >
        <header className={styles.head}>
          <PageTitle>{name}</PageTitle>
          <h2>
            {words.members} <span>{words.count(server.member_count)}</span>
          </h2>
          <IconButton label={words.close} icon={isNarrow ? ArrowLeft : X} onClick={close} />
        </header>
        {hasFailed && members.length === 0 ? (
          <div className={styles.failed} role="alert">
            <p>{words.cannotLoad}</p>
            <Button isSmall onClick={fetchMore}>
              {parts.tryAgain}
            </Button>
          </div>
        ) : (
          (isListed || hasFailed) && (
            <PeopleList
              key={serverId}
              serverId={serverId}
              groups={groups}
              hasMore={hasMore}
              onEnd={fetchMore}
            />
          )
        )}
      </aside>
    </>
  );
});

type PeopleOf = Pick<OwnServer, "roles" | "presences" | "member_count">;

function usePeopleOf(serverId: string): PeopleOf {
  const roles = useOfServer(serverId, (server) => server.roles) ?? none;
  const presences = useOfServer(serverId, (server) => server.presences) ?? none;
  const member_count = useOfServer(serverId, (server) => server.member_count) ?? 0;
  return useMemo(() => ({ roles, presences, member_count }), [roles, presences, member_count]);
}

const none: readonly never[] = [];

/** Servers whose members were fetched as a list: those whom messages mention are few, and in another order. */
const listed = new Set<string>();

interface MembersOf {
  members: readonly Member[];
  isListed: boolean;
  hasMore: boolean;
  hasFailed: boolean;
  fetchMore(): void;
}

/** Fetches small servers, up to a page, whole; of larger ones the members who are present, and pages of the others. */
function useMembersOf(id: string, { member_count, presences }: PeopleOf): MembersOf {
  const { members } = useHouse();
  const generation = useChat((state) => state.generation);
  const [hasFailed, setFailed] = useState(false);
  const list = useSyncExternalStore(members.subscribe, () => members.of(id));
  const [, noteListed] = useReducer((times: number) => times + 1, 0);
  const hasMore = useSyncExternalStore(members.subscribe, () => members.hasMore(id));
  const fetchMore = () => {
    setFailed(false);
    members
      .page(id)
      .then(() => {
        // Before READY everybody would be offline.
        if (generation === 0) return;
        listed.add(id);
        noteListed();
      })
      .catch((error: unknown) => {
        CallError.from(error);
        setFailed(true);
      });
  };
  // Once a server, and after each fresh READY.
  useEffect(fetchMore, [members, id, generation]);
  const isLarge = member_count > limits.members_page_max;
  useEffect(() => {
    if (isLarge)
      members.want(
        id,
        presences.map(({ user_id }) => user_id),
      );
  }, [members, id, isLarge, presences]);
  return { members: list, isListed: listed.has(id), hasMore, hasFailed, fetchMore };
}
