// Sight: which channels of a server its members see, and with which permissions. All who need to know ask here.
import type { Audience } from "../../protocol/event.ts";
import { type Override, overridableBits, resolve } from "../../protocol/overrides.ts";
import { holds, permission, type Standing } from "../../protocol/permissions.ts";
import type { Db } from "../../server/database/database.ts";
import { onceKnown, type Soon } from "../../server/house/known.ts";
import { standingsOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { type Home, idOf, serverStream } from "../../server/place.ts";
import { classesPart } from "./contract.ts";
import { selectOverrides } from "./overrides.ts";
import { type ChannelsTable, isInServer, selectChannelsApart, selectChannelsById, viewers } from "./store.ts";

/** The channels that a member sees: the audiences of the channels, and the member's bits in each. */
export type Sight = ReadonlyMap<Audience, number>;

/** The overrides of channels by their audience: channels with the same audience have the same overrides. */
type OverridesByAudience = ReadonlyMap<Audience, readonly Override[]>;

const mostRemembered = 1000;

/** The classes of a server's channels: each has its audience, and overrides that decide who holds it. */
export class ChannelClasses {
  readonly #overrides: OverridesByAudience;
  /** The members who have overrides of their own. */
  readonly #named: ReadonlySet<string>;
  /** The sight of all others follows from their roles, so that thousands share a few. */
  readonly #byRoles = new Map<string, Sight>();

  constructor(overrides: OverridesByAudience) {
    this.#overrides = overrides;
    const ofMembers = [...overrides.values()].flat().filter(({ kind }) => kind === "member");
    this.#named = new Set(ofMembers.map(({ id }) => id));
  }

  seenBy(standing: Standing): Sight {
    if (this.#named.has(standing.userId)) return this.#resolve(standing);
    const roles = standing.roles.map(({ id, permissions }) => `${id} ${permissions}`);
    const key = this.#overrides.size === 1 ? String(standing.bits) : [standing.isOwner, ...roles].join();
    const known = this.#byRoles.get(key);
    if (known) return known;
    if (this.#byRoles.size >= mostRemembered) this.#byRoles.clear();
    const sight = this.#resolve(standing);
    this.#byRoles.set(key, sight);
    return sight;
  }

  /** Returns the member's standing in channels of this audience; undefined where they do not see them. */
  standingIn(standing: Standing, audience: Audience): Standing | undefined {
    const overrides = this.#overrides.get(audience);
    if (!overrides) return undefined;
    const bits = bitsIn(standing, overrides);
    if (!holds({ bits }, permission.VIEW_CHANNEL)) return undefined;
    return bits === standing.bits ? standing : { ...standing, bits };
  }

  overridesOf(audience: Audience): readonly Override[] {
    return this.#overrides.get(audience) ?? [];
  }

  #resolve(standing: Standing): Sight {
    const sight = new Map<Audience, number>();
    for (const [audience, overrides] of this.#overrides) {
      const bits = bitsIn(standing, overrides);
      if (holds({ bits }, permission.VIEW_CHANNEL)) sight.set(audience, bits);
    }
    return sight;
  }
}

/** Returns the member's bits in channels with these overrides. */
function bitsIn(standing: Standing, overrides: readonly Override[]): number {
  if (overrides.length === 0) return standing.bits;
  const inChannel = resolve(standing, overrides).at(-1)?.result ?? 0;
  return (standing.bits & ~overridableBits) | inChannel;
}

const withoutOverrides = new ChannelClasses(new Map([[viewers, []]]));

/** Returns the classes of a server's channels. */
export function classesOf(unit: UnitOfWork, home: Home): Soon<ChannelClasses> {
  return unit.remember(home, classesPart, async (db) => {
    const serverId = idOf(home);
    return (await loadClasses(db, [serverId])).get(serverId) ?? withoutOverrides;
  });
}

/** Returns the same by server id, loaded together. */
export async function classesIn(
  unit: UnitOfWork,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, ChannelClasses>> {
  const [first] = serverIds;
  if (first === undefined) return new Map();
  if (serverIds.length === 1) return new Map([[first, await classesOf(unit, serverStream(first))]]);
  return unit.rememberEach(serverIds, classesPart, async (ids) => {
    const classes = await loadClasses(unit.db, ids);
    return new Map(ids.map((id) => [id, classes.get(id) ?? withoutOverrides]));
  });
}

/** Returns the classes of the servers that have others than that of all viewers. */
async function loadClasses(
  db: Db,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, ChannelClasses>> {
  const channels = await selectChannelsApart(db, serverIds);
  if (channels.length === 0) return new Map();
  const overrides = await selectOverrides(
    db,
    channels.map(({ id }) => id),
  );
  const byServer = Map.groupBy(channels, ({ server_id }) => server_id);
  return new Map(
    [...byServer].map(([serverId, some]) => {
      const apart = some.map(({ id, audience }) => [audience, overrides.get(id) ?? []] as const);
      return [serverId, new ChannelClasses(new Map([[viewers, []], ...apart]))];
    }),
  );
}

/** Returns what the member sees of their server. */
export function sightOf(unit: UnitOfWork, standing: Standing): Soon<Sight> {
  return onceKnown(classesOf(unit, standing.home), (classes) => classes.seenBy(standing));
}

/** Returns the same for each of these members, in their order. */
export async function sightOfEach(unit: UnitOfWork, standings: readonly Standing[]): Promise<Sight[]> {
  const classes = await classesIn(unit, [...new Set(standings.map(({ home }) => idOf(home)))]);
  return standings.map(
    (standing) => classes.get(idOf(standing.home))?.seenBy(standing) ?? (new Map() as Sight),
  );
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
  const sight = await sightOf(unit, standing);
  const channels = await selectChannelsById(unit.db, channelIds);
  return new Set(channels.flatMap(({ id, audience }) => (sight.has(audience) ? [id] : [])));
}

/** Returns the channels among these, of any servers, that the person sees. */
export async function channelsSeen(
  unit: UnitOfWork,
  userId: string,
  channelIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const channels = (await selectChannelsById(unit.db, channelIds)).filter(isInServer);
  const serverIds = new Set(channels.map(({ server_id }) => server_id));
  const seen = await sightIn(unit, [...serverIds], userId);
  const visible = channels.filter(({ server_id, audience }) => seen.get(server_id)?.has(audience));
  return new Set(visible.map(({ id }) => id));
}

/** Returns by server, of those where the person sees any channels, what they see there. */
export async function sightIn(
  unit: UnitOfWork,
  serverIds: readonly string[],
  userId: string,
): Promise<Map<string, Sight>> {
  const standings = await standingsOf(unit, serverIds, userId);
  const sights = await sightOfEach(unit, [...standings.values()]);
  const seen = [...standings.keys()].map((id, i) => [id, sights[i] ?? new Map()] as const);
  return new Map(seen.filter(([, sight]) => sight.size > 0));
}
