// Random permission graphs: for any roles, overrides and attempts, the server answers as the model does (R1–R5), and
// sockets hear what the model says that people see.
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Channel, SeenChannel } from "../../features/channels/contract.ts";
import type { Invite } from "../../features/invites/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import { onEachEngine } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";
import type { Loose, TestPerson } from "../house/people/people.ts";
import { type Attempt, channels, people, story } from "./attempts.ts";
import { Model } from "./model.ts";

const runs = 40;

onEachEngine("random permission graphs", (house) => {
  let cast: TestPerson[];

  beforeAll(async () => {
    const names = ["olga", "anna", "boris", "clara", "dmitri"];
    cast = await Promise.all(names.map((name) => house().person(name)));
  });

  test("every attempt gets the model's status, leaves the model's roles, ranks and bits, and is heard as modelled", async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ everyone, roles, held, overrides, attempts }) => {
        const scene = await Scene.set(cast);
        const told: string[] = [];
        const expected: string[] = [];
        const openings: Attempt[] = [
          { do: "update", by: 0, role: 0, permissions: everyone, position: undefined },
          ...roles.map((role): Attempt => ({ do: "create", by: 0, ...role })),
          ...held.map((each, i): Attempt => ({ do: "assign", by: 0, to: i + 1, roles: each })),
          ...overrides.map((each): Attempt => ({ ...each, by: 0 })),
        ];
        for (const attempt of [...openings, ...attempts]) {
          const name = JSON.stringify(attempt);
          const [status, modelStatus] = await scene.attempt(attempt);
          told.push(`${name} → ${status}`);
          expected.push(`${name} → ${modelStatus}`);
          if (status !== modelStatus) break;
        }
        expect(told).toEqual(expected);
        expect(await scene.shown()).toEqual(scene.modelled());
        expect(await scene.heard()).toEqual(scene.modelledAsHeard());
        scene.leave();
      }),
      { numRuns: runs, seed: 20261121, endOnFailure: true },
    );
  });
});

/** One server, and its model beside it. */
class Scene {
  readonly #cast: readonly TestPerson[];
  readonly #serverId: string;
  readonly #channelIds: readonly string[];
  readonly #ears: readonly Ear[];
  readonly #code: string;
  readonly #model = new Model(people, channels, 1795);
  /** By person, the messages that the model says they hear. */
  readonly #heard: string[][] = Array.from({ length: people }, () => []);
  /** The server's id of each role, by the model's number; numbers are never reused. */
  readonly #roleIds: string[];

  private constructor(
    cast: readonly TestPerson[],
    serverId: string,
    channelIds: readonly string[],
    ears: readonly Ear[],
    code: string,
    everyoneId: string,
  ) {
    this.#cast = cast;
    this.#serverId = serverId;
    this.#channelIds = channelIds;
    this.#ears = ears;
    this.#code = code;
    this.#roleIds = [everyoneId];
  }

  static async set(cast: readonly TestPerson[]): Promise<Scene> {
    const [owner, ...others] = cast;
    if (!owner) throw new Error("nobody is there");
    const { id, general, everyone } = await owner.makeServer();
    const { code } = (await owner.post<Invite>("/invites", { server_id: id })).body;
    await Promise.all(others.map((other) => other.post(`/invites/${code}/join`)));
    const asked = { server_id: id, name: "second" };
    const second = (await owner.post<Channel>("/channels", asked)).body;
    const ears = await Promise.all(cast.map((person) => person.listen()));
    return new Scene(cast, id, [general.id, second.id], ears, code, everyone.id);
  }

  /** Returns the server's status and the model's. */
  async attempt(attempt: Attempt): Promise<[number, number]> {
    const by = this.#person(attempt.by);
    const roles = `/servers/${this.#serverId}/roles`;
    const members = `/servers/${this.#serverId}/members`;
    const model = this.#model;
    switch (attempt.do) {
      case "create": {
        const { permissions, position } = attempt;
        const answer = await by.post<Role>(roles, { name: "a role", permissions, position });
        const status = model.createRole(attempt.by, permissions, position);
        if (answer.status === 201) this.#roleIds.push(answer.body.id);
        return [answer.status, status];
      }
      case "update": {
        const { permissions, position } = attempt;
        const role = this.#role(attempt.role);
        const { status } = await by.patch(`${roles}/${this.#roleIds[role]}`, { permissions, position });
        return [status, model.updateRole(attempt.by, role, permissions, position)];
      }
      case "delete": {
        const role = this.#role(attempt.role);
        const { status } = await by.delete(`${roles}/${this.#roleIds[role]}`);
        return [status, model.deleteRole(attempt.by, role)];
      }
      case "assign": {
        const wanted = attempt.roles.map((each) => this.#role(each));
        const role_ids = wanted.map((each) => this.#roleIds[each]);
        const { status } = await by.put(`${members}/${this.#person(attempt.to).id}/roles`, { role_ids });
        return [status, model.setRoles(attempt.by, attempt.to, wanted)];
      }
      case "kick": {
        const { status } = await by.delete(`${members}/${this.#person(attempt.target).id}`);
        return [status, model.kick(attempt.by, attempt.target)];
      }
      case "join":
        return [(await by.post(`/invites/${this.#code}/join`)).status, model.join(attempt.by)];
      case "override":
        return this.#override(attempt);
      case "speak": {
        const path = `/channels/${this.#channelIds[attempt.channel]}/messages`;
        const { status, body } = await by.post<{ id: string }>(path, { content: "Hello." });
        const hearers = this.#heard.filter((_, i) => model.bitsIn(i, attempt.channel) !== 0);
        if (status === 201) for (const heard of hearers) heard.push(body.id);
        return [status, model.speak(attempt.by, attempt.channel)];
      }
    }
  }

  async #override({ by, channel, to, allow, deny }: Extract<Attempt, { do: "override" }>) {
    const target = "role" in to ? { role: this.#role(to.role) } : to;
    const id = "role" in target ? this.#roleIds[target.role] : this.#person(target.person).id;
    const path = `/channels/${this.#channelIds[channel]}/overrides/${id}`;
    const kind = "role" in target ? "role" : "member";
    const { status } = await this.#person(by).put(path, { kind, allow, deny });
    return [status, this.#model.setOverride(by, channel, target, { allow, deny })] as [number, number];
  }

  /** The channels that each person sees, as their socket was told, and the messages that it heard. */
  async heard(): Promise<unknown> {
    const all = [];
    for (const ear of this.#ears) {
      await ear.settle();
      const messages = ear.heard("MESSAGE_CREATE").map(({ data }) => String(data.id));
      all.push({ channels: this.#channelsOf(ear), messages });
    }
    return all;
  }

  modelledAsHeard(): unknown {
    return this.#cast.map((_, person) => ({
      channels: [...this.#channelIds.keys()].filter((channel) => this.#model.bitsIn(person, channel) !== 0),
      messages: this.#heard[person],
    }));
  }

  #channelsOf(ear: Ear): number[] {
    const seen = new Set<string>();
    const all = (channels: Loose | undefined) =>
      (channels as unknown as { id: string }[]).map(({ id }) => id);
    for (const { type, data, server_id } of ear.frames) {
      if (type === "READY") {
        const servers = data.servers as unknown as { id: string; channels: Loose }[];
        for (const { id, channels } of servers)
          if (id === this.#serverId) all(channels).map((id) => seen.add(id));
      }
      if (type === "SERVER_CREATE" && String(data.id) === this.#serverId)
        for (const id of all(data.channels)) seen.add(id);
      if (server_id !== this.#serverId) continue;
      if (type === "CHANNEL_CREATE") seen.add(String(data.id));
      if (type === "CHANNEL_DELETE") seen.delete(String(data.id));
      // A person hears their own removal as the last event.
      if (type === "SERVER_MEMBER_REMOVE" && this.#cast[this.#ears.indexOf(ear)]?.id === String(data.user_id))
        seen.clear();
    }
    return this.#channelIds.flatMap((id, channel) => (seen.has(id) ? [channel] : []));
  }

  leave(): void {
    for (const ear of this.#ears) ear.close();
  }

  /** The server's roles by model number, the roles of each member, and the members' permission bits. */
  async shown(): Promise<unknown> {
    const owner = this.#person(0);
    const number = (id: Loose | string | undefined) => this.#roleIds.indexOf(String(id));
    const roles = (await owner.get<Role[]>(`/servers/${this.#serverId}/roles`)).body;
    const members = (
      await owner.get<{ user: { id: string }; role_ids: string[] }[]>(`/servers/${this.#serverId}/members`)
    ).body;
    const bits: Record<number, number> = {};
    const inChannels: Record<number, number[]> = {};
    for (const [i, person] of this.#cast.entries()) {
      const server = await person.get<{ permissions: number }>(`/servers/${this.#serverId}`);
      if (server.status !== 200) continue;
      bits[i] = server.body.permissions;
      const seen = (await person.get<SeenChannel[]>(`/channels?server_id=${this.#serverId}`)).body;
      inChannels[i] = this.#channelIds.map(
        (channelId) => seen.find(({ id }) => id === channelId)?.permissions ?? 0,
      );
    }
    return {
      roles: Object.fromEntries(
        roles.map(({ id, permissions, position }) => [number(id), { permissions, position }]),
      ),
      held: Object.fromEntries(
        members.map(({ user, role_ids }) => [
          this.#cast.findIndex((person) => person.id === user.id),
          role_ids.map(number).sort(),
        ]),
      ),
      bits,
      inChannels,
    };
  }

  modelled(): unknown {
    const bitsIn = (person: number) =>
      [...this.#channelIds.keys()].map((channel) => this.#model.bitsIn(person, channel));
    const { roles, members } = this.#model;
    return {
      roles: Object.fromEntries(roles),
      held: Object.fromEntries([...members].map(([person, held]) => [person, [...held].sort()])),
      bits: Object.fromEntries([...members.keys()].map((person) => [person, this.#model.bits(person)])),
      inChannels: Object.fromEntries([...members.keys()].map((person) => [person, bitsIn(person)])),
    };
  }

  #person(number: number): TestPerson {
    const person = this.#cast[number];
    if (!person) throw new Error(`there is no person ${number}`);
    return person;
  }

  /** Picks one of the roles that exist now. */
  #role(pick: number): number {
    const there = [...this.#model.roles.keys()];
    return there[pick % there.length] ?? 0;
  }
}
