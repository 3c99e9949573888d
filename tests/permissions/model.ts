// A plain model of rules R1 to R5 of permissions.md, with which the server's answers are compared.

const bits = { SEND_MESSAGES: 2, KICK_MEMBERS: 8, MANAGE_SERVER: 32, ADMINISTRATOR: 128 } as const;
const every = 2047;
const needsView = 2 | 4 | 64 | 256 | 512 | 1024;

interface ModelRole {
  permissions: number;
  position: number;
}

/** A server that person 0 owns. Roles have numbers of the model's own; 0 is @everyone. */
export class Model {
  readonly roles = new Map<number, ModelRole>();
  readonly members = new Map<number, Set<number>>();
  #nextRole = 1;

  constructor(people: number, everyone: number) {
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
    return 204;
  }

  join(person: number): number {
    if (!this.members.has(person)) this.members.set(person, new Set());
    return 200;
  }

  speak(by: number): number {
    if (!this.members.has(by) || !this.#may(by, 1)) return 404;
    return this.#may(by, bits.SEND_MESSAGES) ? 201 : 403;
  }

  #mayActOn(by: number, target: number, selfCounts: boolean): boolean {
    if (target === 0) return by === 0 && selfCounts;
    return selfCounts || this.rank(by) > this.rank(target);
  }
}
