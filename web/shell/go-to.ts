// The results of the switcher: unread channels and conversations first, then the others, people and servers, the best
// match of each first.
import type { Copy } from "../../client/copy.ts";
import type { OwnServer } from "../../client/servers.ts";
import { isUnread } from "../../client/unread.ts";
import type { User } from "../../features/accounts/contract.ts";
import type { OwnChannel } from "../../features/channels/state.ts";
import { inOrder } from "../../features/channels/view/order.ts";
import { listedIn } from "../../features/direct/view/listed.ts";
import { type Match, match } from "./matching.ts";

export type Goal =
  | {
      kind: "channel";
      id: string;
      channel: OwnChannel;
      server: OwnServer | undefined;
      ranges: Match["ranges"];
    }
  | { kind: "person"; id: string; user: User; server: OwnServer | undefined; ranges: Match["ranges"] }
  | { kind: "server"; id: string; server: OwnServer; ranges: Match["ranges"] };

type GoalGroup = "recent" | "unread" | "channels" | "conversations" | "people" | "servers";

/** A channel with its server, or a conversation. */
interface Room {
  server: OwnServer | undefined;
  channel: OwnChannel;
}

/** The most results of each group. */
const mostEach = 8;

/** A member of the server in which one is, or outside of servers anybody to write to. */
export interface Person {
  server: OwnServer | undefined;
  user: User;
}

interface Asked {
  query: string;
  copy: Pick<Copy, "servers" | "direct" | "readStates">;
  /** People who are loaded or were found. */
  people: readonly Person[];
  /** Channel ids, the latest first. */
  recent: readonly string[];
}

export function goalsFor({ query, copy, people, recent }: Asked): [GoalGroup, readonly Goal[]][] {
  const only = query.startsWith("#") ? "channels" : query.startsWith("@") ? "people" : undefined;
  const wanted = only ? query.slice(1) : query;
  const inServers = copy.servers.flatMap((server): readonly Room[] =>
    inOrder(server.channels).map((channel) => ({ server, channel })),
  );
  const talks = listedIn(copy.direct).map((channel): Room => ({ server: undefined, channel }));
  const all = only === "channels" ? inServers : only ? talks : [...inServers, ...talks];
  if (wanted.trim() === "" && only !== "people") {
    const places = only ? all : recent.flatMap((id) => all.filter(({ channel }) => channel.id === id));
    return [[only ? "channels" : "recent", places.slice(0, mostEach).map((each) => channelGoal(each, []))]];
  }
  const rooms = best(wanted, all, ({ channel }) => [channel.name], channelGoal);
  const isNew = (goal: Goal) => goal.kind === "channel" && isUnread(copy, goal.channel);
  const servers = only ? [] : best(wanted, copy.servers, ({ name }) => [name], serverGoal);
  const found =
    only === "channels"
      ? []
      : best(wanted, people, ({ user }) => [user.display_name, user.username], personGoal);
  const others = (isTalk: boolean) => (goal: Goal) =>
    !isNew(goal) && isTalk === (goal.kind === "channel" && goal.server === undefined);
  return [
    ["unread", rooms.filter(isNew).slice(0, mostEach)],
    ["channels", rooms.filter(others(false)).slice(0, mostEach)],
    ["conversations", rooms.filter(others(true)).slice(0, mostEach)],
    ["people", found.slice(0, mostEach)],
    ["servers", servers.slice(0, mostEach)],
  ];
}

/** Returns the items with a matching name, the best match first. Matches are marked in the first name only. */
function best<T>(
  query: string,
  list: readonly T[],
  names: (each: T) => readonly string[],
  goal: (each: T, ranges: Match["ranges"]) => Goal,
): readonly Goal[] {
  const fits = list.flatMap((each) => {
    const [shown, ...others] = names(each).map((name) => match(query, name));
    if (shown) return [{ each, score: shown.score, ranges: shown.ranges }];
    const other = others.find(Boolean);
    return other ? [{ each, score: other.score + 1, ranges: [] }] : [];
  });
  return fits.sort((one, other) => one.score - other.score).map(({ each, ranges }) => goal(each, ranges));
}

function channelGoal({ server, channel }: Room, ranges: Match["ranges"]): Goal {
  return { kind: "channel", id: channel.id, channel, server, ranges };
}

function serverGoal(server: OwnServer, ranges: Match["ranges"]): Goal {
  return { kind: "server", id: server.id, server, ranges };
}

function personGoal({ server, user }: Person, ranges: Match["ranges"]): Goal {
  return { kind: "person", id: user.id, user, server, ranges };
}
