// Sight: which channels of a server its members see, and with which permissions. All who need to know ask here.
import type { Audience } from "../../protocol/event.ts";
import { type Override, overridableBits, resolve } from "../../protocol/overrides.ts";
import { holds, permission, type Standing } from "../../protocol/permissions.ts";
import { onceKnown, type Soon } from "../../server/house/known.ts";
import { standingsOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Home } from "../../server/place.ts";
import { type ChannelsTable, isInServer, selectChannelsById, viewers } from "./store.ts";

/** Channels with the same overrides: the same members see them. Each of their rows names the audience. */
interface ChannelClass {
  readonly audience: Audience;
  readonly overrides: readonly Override[];
}

/** The classes of a server's channels. */
export class ChannelClasses {
  readonly #list: readonly ChannelClass[];
  readonly #all: ReadonlySet<Audience>;

  constructor(list: readonly ChannelClass[]) {
    this.#list = list;
    this.#all = new Set(list.map(({ audience }) => audience));
  }

  /** Returns the audiences whose channels the member sees. */
  seenBy(standing: Standing): ReadonlySet<Audience> {
    const seen = this.#list.filter((each) =>
      holds({ bits: bitsIn(standing, each) }, permission.VIEW_CHANNEL),
    );
    if (seen.length === this.#list.length) return this.#all;
    return seen.length === 0 ? nothing : new Set(seen.map(({ audience }) => audience));
  }

  /** Returns the member's standing in channels of this audience; undefined where they do not see them. */
  standingIn(standing: Standing, audience: Audience): Standing | undefined {
    const found = this.#list.find((each) => each.audience === audience);
    if (!found) return undefined;
    const bits = bitsIn(standing, found);
    if (!holds({ bits }, permission.VIEW_CHANNEL)) return undefined;
    return bits === standing.bits ? standing : { ...standing, bits };
  }
}

const nothing: ReadonlySet<Audience> = new Set();

/** Returns the member's bits in the channels of a class. */
function bitsIn(standing: Standing, { overrides }: ChannelClass): number {
  if (overrides.length === 0) return standing.bits;
  const inChannel = resolve(standing, overrides).at(-1)?.result ?? 0;
  return (standing.bits & ~overridableBits) | inChannel;
}

const withoutOverrides = new ChannelClasses([{ audience: viewers, overrides: [] }]);

/** Returns the classes of a home's channels. No channel can have overrides yet, so there is one class. */
function classesOf(_unit: UnitOfWork, _home: Home): Soon<ChannelClasses> {
  return withoutOverrides;
}

/** Returns the audiences of the channels that the member sees. */
export function audiencesSeen(unit: UnitOfWork, standing: Standing): Soon<ReadonlySet<Audience>> {
  return onceKnown(classesOf(unit, standing.home), (classes) => classes.seenBy(standing));
}

/** Returns the same for each of these members, in their order. */
export async function audiencesSeenByEach(
  unit: UnitOfWork,
  standings: readonly Standing[],
): Promise<ReadonlySet<Audience>[]> {
  const seen: ReadonlySet<Audience>[] = [];
  for (const standing of standings) seen.push(await audiencesSeen(unit, standing));
  return seen;
}

/** Returns the member's standing in a channel of their server; undefined where they do not see it. */
export function standingInChannel(
  unit: UnitOfWork,
  standing: Standing,
  { audience }: Pick<ChannelsTable, "audience">,
): Soon<Standing | undefined> {
  return onceKnown(classesOf(unit, standing.home), (classes) => classes.standingIn(standing, audience));
}

/** Returns the channels among these, of one server, that the member sees. */
export async function seenAmong(
  unit: UnitOfWork,
  standing: Standing,
  channelIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (channelIds.length === 0) return new Set();
  const seen = await audiencesSeen(unit, standing);
  const channels = await selectChannelsById(unit.db, channelIds);
  return new Set(channels.flatMap(({ id, audience }) => (seen.has(audience) ? [id] : [])));
}

/** Returns the channels among these, of any servers, that the person sees. */
export async function channelsSeen(
  unit: UnitOfWork,
  userId: string,
  channelIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const channels = (await selectChannelsById(unit.db, channelIds)).filter(isInServer);
  const serverIds = new Set(channels.map(({ server_id }) => server_id));
  const seen = await audiencesIn(unit, [...serverIds], userId);
  const visible = channels.filter(({ server_id, audience }) => seen.get(server_id)?.has(audience));
  return new Set(visible.map(({ id }) => id));
}

/** Returns by server, of those where the person sees any channels, their audiences. */
export async function audiencesIn(
  unit: UnitOfWork,
  serverIds: readonly string[],
  userId: string,
): Promise<Map<string, ReadonlySet<Audience>>> {
  const seen = new Map<string, ReadonlySet<Audience>>();
  for (const [id, standing] of await standingsOf(unit, serverIds, userId)) {
    const audiences = await audiencesSeen(unit, standing);
    if (audiences.size > 0) seen.set(id, audiences);
  }
  return seen;
}
