// A plain model of rules R1 to R5 of permissions.md, and of the overrides of channels, with which the server's answers
// are compared.

const bits = { SEND_MESSAGES: 2, KICK_MEMBERS: 8, MANAGE_SERVER: 32, ADMINISTRATOR: 128 } as const;
const every = 2047;
const needsView = 2 | 4 | 64 | 256 | 512 | 1024;

const ofChannels = 1863;
const [view, manageChannels] = [1, 64];

interface ModelRole {
  permissions: number;
  position: number;
}

interface ModelOverride {
  allow: number;
  deny: number;
}

type Target = { role: number } | { person: number };

/** A server that person 0 owns. Roles have numbers of the model's own; 0 is @everyone. */
export class Model {
  readonly roles = new Map<number, ModelRole>();
  readonly members = new Map<number, Set<number>>();
  /** By channel, and then by target: `role 3`, `person 1`. */
  readonly #overrides: Map<string, ModelOverride>[];
  #nextRole = 1;

  constructor(people: number, channels: number, everyone: number) {
    this.#overrides = Array.from({ length: channels }, () => new Map());
    this.roles.set(0, { permissions: everyone, position: 0 });
    for (let person = 0; person < people; person++) this.members.set(person, new Set());
  }

  /** R1: the owner ranks above all; everybody else ranks as their highest role; @everyone is 0. */
  rank(person: number): number {
    if (person === 0) return Number.POSITIVE_INFINITY;
    return Math.max(
      0,
      ...[...(this.members.get(person) ?? [])].map((role) => this.roles.get(role)?.position ?? 0),
    );
  }

  bits(person: number): number {
    if (person === 0) return every;
    const held = [0, ...(this.members.get(person) ?? [])].reduce(
      (sum, role) => sum | (this.roles.get(role)?.permissions ?? 0),
      0,
    );
    if ((held & bits.ADMINISTRATOR) !== 0) return every;
    return (held & 1) !== 0 ? held : held & ~needsView;
  }

  /** The bits in a channel, without those that are not of channels; 0 for who does not see it, or is no member. */
  bitsIn(person: number, channel: number): number {
    const held = this.members.get(person);
    if (!held) return 0;
    if (this.bits(person) === every) return ofChannels;
    const overrides = this.#overrides[channel] ?? new Map<string, ModelOverride>();
    const after = (before: number, names: readonly string[]) => {
      const some = names.flatMap((name) => overrides.get(name) ?? []);
      const denied = some.reduce((sum, { deny }) => sum | deny, 0);
      return some.reduce((sum, { allow }) => sum | allow, before & ~denied);
    };
    const given = [0, ...held].reduce((sum, role) => sum | (this.roles.get(role)?.permissions ?? 0), 0);
    const byEveryone = after(given & ofChannels, ["role 0"]);
    const byRoles = after(
      byEveryone,
      [...held].map((role) => `role ${role}`),
    );
    const own = after(byRoles, [`person ${person}`]);
    return own & view ? own : 0;
  }

  #may(person: number, bit: number): boolean {
    return (this.bits(person) & bit) !== 0;
  }

  #owns(person: number, before: number, after: number): boolean {
    return (after & ~before & ~this.bits(person)) === 0;
  }

  createRole(by: number, permissions: number, position: number): number {
    if (!this.members.has(by)) return 404;
    if (!this.#may(by, bits.MANAGE_SERVER)) return 403;
    if (this.rank(by) <= position) return 403;
    if (!this.#owns(by, 0, permissions)) return 403;
    this.roles.set(this.#nextRole++, { permissions, position });
    return 201;
  }

  updateRole(
    by: number,
    role: number,
    permissions: number | undefined,
    position: number | undefined,
  ): number {
    const before = this.roles.get(role);
    if (!this.members.has(by) || !before) return 404;
    if (!this.#may(by, bits.MANAGE_SERVER)) return 403;
    const after = { permissions: permissions ?? before.permissions, position: position ?? before.position };
    if (role === 0) after.position = 0;
    else if (this.rank(by) <= before.position || this.rank(by) <= after.position) return 403;
    if (!this.#owns(by, before.permissions, after.permissions)) return 403;
    this.roles.set(role, after);
    return 200;
  }

  deleteRole(by: number, role: number): number {
    const before = this.roles.get(role);
    if (!this.members.has(by) || !before) return 404;
    if (!this.#may(by, bits.MANAGE_SERVER)) return 403;
    if (role === 0) return 409;
    if (this.rank(by) <= before.position) return 403;
    this.roles.delete(role);
    for (const overrides of this.#overrides) overrides.delete(`role ${role}`);
    for (const held of this.members.values()) held.delete(role);
    return 204;
  }

  setRoles(by: number, target: number, wanted: readonly number[]): number {
    const held = this.members.get(target);
    if (!this.members.has(by) || !held) return 404;
    if (!this.#may(by, bits.MANAGE_SERVER)) return 403;
    if (!this.#mayActOn(by, target, by === target)) return 403;
    const after = new Set(wanted.filter((role) => role !== 0));
    const changed = [...after.symmetricDifference(held)];
    if (changed.some((role) => this.rank(by) <= (this.roles.get(role)?.position ?? 0))) return 403;
    this.members.set(target, after);
    return 204;
  }

  kick(by: number, target: number): number {
    if (!this.members.has(by) || !this.members.has(target)) return 404;
    if (!this.#may(by, bits.KICK_MEMBERS)) return 403;
    if (!this.#mayActOn(by, target, false)) return 403;
    this.members.delete(target);
    for (const overrides of this.#overrides) {
      const { deny } = overrides.get(`person ${target}`) ?? { deny: 0 };
      put(overrides, `person ${target}`, { allow: 0, deny });
    }
    return 204;
  }

  setOverride(by: number, channel: number, to: Target, after: ModelOverride): number {
    const mine = this.bitsIn(by, channel);
    const rank = "role" in to ? this.roles.get(to.role)?.position : this.#rankOfMember(to.person);
    if ((mine & view) === 0 || rank === undefined) return 404;
    if ((mine & manageChannels) === 0) return 403;
    const isSelf = "person" in to && to.person === by;
    if (!isSelf && this.rank(by) <= rank) return 403;
    const name = "role" in to ? `role ${to.role}` : `person ${to.person}`;
    const overrides = this.#overrides[channel] ?? new Map<string, ModelOverride>();
    const before = overrides.get(name) ?? { allow: 0, deny: 0 };
    if (((before.allow ^ after.allow) | (before.deny ^ after.deny)) & ~mine) return 403;
    put(overrides, name, after);
    if ((this.bitsIn(by, channel) & (view | manageChannels)) === (view | manageChannels)) return 204;
    put(overrides, name, before);
    return 409;
  }

  #rankOfMember(person: number): number | undefined {
    return this.members.has(person) ? this.rank(person) : undefined;
  }

  join(person: number): number {
    if (!this.members.has(person)) this.members.set(person, new Set());
    return 200;
  }

  speak(by: number, channel: number): number {
    const mine = this.bitsIn(by, channel);
    if ((mine & view) === 0) return 404;
    return mine & bits.SEND_MESSAGES ? 201 : 403;
  }

  #mayActOn(by: number, target: number, selfCounts: boolean): boolean {
    if (target === 0) return by === 0 && selfCounts;
    return selfCounts || this.rank(by) > this.rank(target);
  }
}

/** Nothing in both is no override. */
function put(overrides: Map<string, ModelOverride>, name: string, override: ModelOverride): void {
  if (override.allow === 0 && override.deny === 0) overrides.delete(name);
  else overrides.set(name, override);
}
