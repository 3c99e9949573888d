// The quick switcher: finds channels, conversations, people and servers by name.
import { Hash, MessageCircle, Users, Volume2 } from "lucide-react";
import { Fragment, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import type { Copy } from "../../client/copy.ts";
import type { OwnServer } from "../../client/servers.ts";
import { isUnread } from "../../client/unread.ts";
import type { User } from "../../features/accounts/contract.ts";
import { useAcquaintances } from "../../features/direct/view/acquaintances.ts";
import { useOpenWith } from "../../features/direct/view/use-open.ts";
import type { Member } from "../../features/members/contract.ts";
import { openProfile } from "../../features/members/view/open-profile.tsx";
import { Face } from "../ui/controls/face.tsx";
import { Icon } from "../ui/controls/icon.tsx";
import { MentionCount } from "../ui/controls/mention-count.tsx";
import { PresenceMark } from "../ui/controls/presence-mark.tsx";
import { paths } from "../ui/navigation/paths.ts";
import { Finder, type Found } from "../ui/overlays/finder.tsx";
import { useCopy, useHouse } from "../ui/session/house.tsx";
import { useWords } from "../ui/words/words.ts";
import { type Goal, goalsFor, type Person } from "./go-to.ts";
import type { Match } from "./matching.ts";
import { addressOf, recentChannels } from "./places.ts";
import styles from "./switcher.module.css";

interface Props {
  /** The server whose members are searched, beyond those that are loaded. */
  serverId: string | undefined;
  onClose(): void;
}

export function Switcher({ serverId, onClose }: Props) {
  const all = useWords();
  const { shell: words } = all;
  const [query, setQuery] = useState("");
  const [, navigate] = useLocation();
  const servers = useCopy((copy) => copy.servers);
  const direct = useCopy((copy) => copy.direct);
  const readStates = useCopy((copy) => copy.readStates);
  const people = usePeople(servers, serverId, query);
  const openWith = useOpenWith();
  const recent = useMemo(recentChannels, []);
  const copy = useMemo(() => ({ servers, direct, readStates }), [servers, direct, readStates]);
  const goals = useMemo(() => goalsFor({ query, copy, people, recent }), [query, copy, people, recent]);
  const groups = goals.map(([id, some]) => ({
    id,
    title: words.goTo[id],
    found: some.map((goal) => foundOf(goal, copy, all)),
  }));

  function take(id: string) {
    const goal = goals.flatMap(([, some]) => some).find((each) => keyOf(each) === id);
    if (!goal) return;
    onClose();
    if (goal.kind === "channel") navigate(paths.channel(goal.channel), { state: { isFromHere: true } });
    else if (goal.kind === "server") navigate(addressOf(goal.server));
    else if (goal.server) openCard(goal.server.id, goal.id);
    else openWith(goal.id);
  }

  return (
    <Finder
      label={words.goToTitle}
      query={query}
      groups={groups}
      empty={query.trim() === "" ? words.goToStart : words.goToNothing(query.trim())}
      foot={<Foot />}
      onQuery={setQuery}
      onTake={take}
      onClose={onClose}
    />
  );
}

/** Opens a card beside the person in the member list, or else below the room's title. */
function openCard(serverId: string, userId: string): void {
  // The closing dialog restores the focus first.
  requestAnimationFrame(() => {
    const anchor =
      document.querySelector<HTMLElement>(`[data-person="${userId}"]`) ??
      document.querySelector<HTMLElement>("main h2");
    if (anchor) openProfile(anchor, { serverId, userId });
  });
}

/**
 * Returns the loaded members, and searches the server for more 150 ms after the last key; outside of servers, the people
 * whom the reader can write to.
 */
function usePeople(servers: readonly OwnServer[], serverId: string | undefined, query: string) {
  const { members } = useHouse();
  const known = useSyncExternalStore(members.subscribe, () => (serverId ? members.of(serverId) : none));
  const wanted = query.startsWith("#") ? "" : query.replace(/^@/, "").trim();
  const isWanted = serverId !== undefined && wanted !== "";
  useEffect(() => {
    if (!isWanted) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      // Loaded members are found all the same.
      members.find(serverId, wanted, abort.signal).catch(() => {});
    }, 150);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [members, serverId, wanted, isWanted]);
  const others = useOthers(serverId === undefined ? wanted : "");
  return useMemo((): readonly Person[] => {
    const server = servers.find(({ id }) => id === serverId);
    return (server ? known.map(({ user }) => user) : others).map((user) => ({ server, user }));
  }, [known, others, servers, serverId]);
}

/** Returns the people with that name whom the reader can write to, without those whose conversation is in the list. */
function useOthers(query: string): readonly User[] {
  const direct = useCopy((copy) => copy.direct);
  const fits = useCallback(
    ({ id }: User) =>
      ![...direct.values()].some(
        ({ type, isListed, recipients }) =>
          type === "direct" && isListed && recipients.some((each) => each.id === id),
      ),
    [direct],
  );
  return useAcquaintances(query, fits);
}

const none: readonly Member[] = [];

type Words = Pick<ReturnType<typeof useWords>, "shell" | "parts" | "direct">;

const signs = { text: Hash, voice: Volume2, direct: MessageCircle, group: Users };

function foundOf(goal: Goal, copy: Pick<Copy, "readStates">, words: Words): Found {
  const id = keyOf(goal);
  switch (goal.kind) {
    case "channel":
      return { id, ...channelFound(goal, copy, words) };
    case "person":
      return { id, ...personFound(goal) };
    case "server": {
      const { name } = goal.server;
      return {
        id,
        name,
        mark: <Face id={goal.id} name={name} picture={goal.server.icon} size={24} isServer />,
        text: <Marked text={name} ranges={goal.ranges} />,
      };
    }
  }
}

function channelFound(
  { channel, server, ranges }: Goal & { kind: "channel" },
  copy: Pick<Copy, "readStates">,
  words: Words,
): Omit<Found, "id"> {
  const mentions = copy.readStates.get(channel.id)?.mention_count ?? 0;
  const inside = server?.voice.filter(({ channel_id }) => channel_id === channel.id).length ?? 0;
  const isNew = isUnread(copy, channel);
  return {
    name: channel.name,
    mark: <Icon of={signs[channel.type]} size={18} />,
    text: (
      <span className={isNew ? styles.unread : undefined}>
        <Marked text={channel.name} ranges={ranges} /> <small>{server?.name ?? words.direct.title}</small>
      </span>
    ),
    end:
      mentions > 0 && !server ? (
        words.direct.unread(mentions)
      ) : mentions > 0 ? (
        <MentionCount count={mentions} />
      ) : isNew ? (
        <span className="visually-hidden">{words.parts.unread}</span>
      ) : (
        inside > 0 && words.shell.inside(inside)
      ),
  };
}

function personFound({ user, server, ranges }: Goal & { kind: "person" }): Omit<Found, "id"> {
  const here = server?.presences.find(({ user_id }) => user_id === user.id);
  const status = server ? (here?.status ?? "offline") : user.presence;
  return {
    name: user.display_name,
    mark: (
      <Face id={user.id} name={user.display_name} picture={user.avatar} size={24}>
        <PresenceMark status={status} />
      </Face>
    ),
    text: (
      <span>
        <bdi>
          <Marked text={user.display_name} ranges={ranges} />
        </bdi>{" "}
        <small>
          @{user.username}
          {server && ` · ${server.name}`}
        </small>
      </span>
    ),
  };
}

function keyOf({ kind, id }: Goal): string {
  return `${kind} ${id}`;
}

function Marked({ text, ranges }: { text: string; ranges: Match["ranges"] }) {
  const parts = [];
  let at = 0;
  for (const [from, to] of ranges) {
    parts.push(<Fragment key={from}>{text.slice(at, from)}</Fragment>);
    parts.push(<mark key={`${from} fits`}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <span className={styles.name}>
      {parts}
      {text.slice(at)}
    </span>
  );
}

function Foot() {
  const { shell: words } = useWords();
  return (
    <>
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd>
        {words.goToMove}
      </span>
      <span>
        <kbd>Enter</kbd>
        {words.goToOpen}
      </span>
      <span>
        <kbd>#</kbd>
        {words.goToChannels}
      </span>
      <span>
        <kbd>@</kbd>
        {words.goToPeople}
      </span>
    </>
  );
}
