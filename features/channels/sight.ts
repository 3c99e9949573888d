// Sight: which channels of a server its members see, and with which permissions. All who need to know ask here.
import type { Audience } from "../../protocol/event.ts";
import { type Override, overridableBits, resolve } from "../../protocol/overrides.ts";
import { holds, permission, type Standing } from "../../protocol/permissions.ts";
import type { Db } from "../../server/database/database.ts";
import { onceKnown, type Soon } from "../../server/house/known.ts";
import { pieces, pieceTurn, rowsAtOnce } from "../../server/house/pieces.ts";
import { standingsOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { type Home, idOf, serverStream } from "../../server/place.ts";
import { classesPart } from "./contract.ts";
import { selectOverrides } from "./overrides.ts";
import { countChannelsApart, isInServer, selectChannelsApart, selectChannelsById, viewers } from "./store.ts";

/** The audiences of the channels that a member sees, and the member's bits in each. */
export type Sight = ReadonlyMap<Audience, number>;

/** The overrides of channels by their audience: channels with the same audience have the same overrides. */
type OverridesByAudience = ReadonlyMap<Audience, readonly Override[]>;

/** Channels' bits that are remembered for a server's sights together. */
const mostRemembered = 50_000;

/** The classes of a server's channels: each has its audience, and overrides that decide who holds it. */
export class ChannelClasses {
  readonly #overrides: OverridesByAudience;
  /** By member: the audiences of the channels that have an override for them. */
  readonly #named = new Map<string, Audience[]>();
  /** Members without overrides of their own see what their roles say, so that thousands share a few of these. */
  readonly #byRoles = new Map<string, Sight>();

  constructor(overrides: OverridesByAudience) {
    this.#overrides = overrides;
    for (const [audience, list] of overrides)
      for (const { kind, id } of list)
        if (kind === "member") this.#named.set(id, [...(this.#named.get(id) ?? []), audience]);
  }

  seenBy(standing: Standing): Sight {
    const byRoles = this.#seenByRoles(standing);
    const named = this.#named.get(standing.userId);
    if (!named) return byRoles;
    const sight = new Map(byRoles);
    for (const audience of named) this.#look(standing, audience, sight);
    return sight;
  }

  #seenByRoles(standing: Standing): Sight {
    const key = this.#overrides.size === 1 ? String(standing.bits) : rightsOf(standing);
    const known = this.#byRoles.get(key);
    if (known) return known;
    if (this.#byRoles.size * this.#overrides.size >= mostRemembered) this.#byRoles.clear();
    const sight = new Map<Audience, number>();
    const nobody = { ...standing, userId: "" };
    for (const audience of this.#overrides.keys()) this.#look(nobody, audience, sight);
    this.#byRoles.set(key, sight);
    return sight;
  }

  /** Puts down what the member sees of the channels of an audience. */
  #look(standing: Standing, audience: Audience, sight: Map<Audience, number>): void {
    const bits = bitsIn(standing, this.#overridesOf(audience));
    if (holds({ bits }, permission.VIEW_CHANNEL)) sight.set(audience, bits);
    else sight.delete(audience);
  }

  #overridesOf(audience: Audience): readonly Override[] {
    return this.#overrides.get(audience) ?? [];
  }
}

/** Returns a text that is the same for members whose roles are and give the same. */
function rightsOf({ isOwner, roles }: Standing): string {
  return isOwner ? "owner" : roles.map(({ id, permissions }) => `${id} ${permissions}`).join();
}

/** Returns the member's bits in channels with these overrides. */
function bitsIn(standing: Standing, overrides: readonly Override[]): number {
  if (overrides.length === 0) return standing.bits;
  const inChannel = resolve(standing, overrides).at(-1)?.result ?? 0;
  return (standing.bits & ~overridableBits) | inChannel;
}

/** Returns the member's standing in a channel with these overrides; undefined where they do not see it. */
export function standingWith(standing: Standing, overrides: readonly Override[]): Standing | undefined {
  const bits = bitsIn(standing, overrides);
  if (!holds({ bits }, permission.VIEW_CHANNEL)) return undefined;
  return bits === standing.bits ? standing : { ...standing, bits };
}

const withoutOverrides = new ChannelClasses(new Map([[viewers, []]]));

/** Returns the classes of a server's channels. */
function classesOf(unit: UnitOfWork, home: Home): Soon<ChannelClasses> {
  return unit.remember(home, classesPart, async (db) => {
    const serverId = idOf(home);
    return (await loadClasses(db, [serverId])).get(serverId) ?? withoutOverrides;
  });
}

/** Returns the same by server id, loaded together. */
async function classesIn(
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
  const counts = serverIds.length > 1 ? await countChannelsApart(db, serverIds) : new Map<string, number>();
  const ids = serverIds.length > 1 ? serverIds.filter((id) => counts.has(id)) : serverIds;
  const classes = new Map<string, ChannelClasses>();
  let isFirst = true;
  for (const some of pieces(ids, (id) => counts.get(id) ?? 0, rowsAtOnce)) {
    if (!isFirst) await pieceTurn();
    isFirst = false;
    const channels = await selectChannelsApart(db, some);
    const overrides = await overridesOf(db, channels);
    for (const [serverId, its] of Map.groupBy(channels, ({ server_id }) => server_id)) {
      const apart = its.map(({ id, audience }) => [audience, overrides.get(id) ?? []] as const);
      classes.set(serverId, new ChannelClasses(new Map([[viewers, []], ...apart])));
    }
  }
  return classes;
}

/** Channels whose overrides are read at once: each may have a hundred. */
const channelsAtOnce = 50;

async function overridesOf(
  db: Db,
  channels: readonly { id: string }[],
): Promise<ReadonlyMap<string, readonly Override[]>> {
  const all = new Map<string, readonly Override[]>();
  for (const some of pieces(channels, () => 1, channelsAtOnce)) {
    if (all.size > 0) await pieceTurn();
    const ids = some.map(({ id }) => id);
    for (const [id, overrides] of await selectOverrides(db, ids)) all.set(id, overrides);
  }
  return all;
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
