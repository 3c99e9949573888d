// Random permission graphs: for any roles and any attempts, the server answers as the model does (R1–R5).
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Invite } from "../../features/invites/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import { onEachEngine } from "../house/open/engines.ts";
import type { Loose, TestPerson } from "../house/people/people.ts";
import { type Attempt, people, story } from "./attempts.ts";
import { Model } from "./model.ts";

const runs = 40;

onEachEngine("random permission graphs", (house) => {
  let cast: TestPerson[];

  beforeAll(async () => {
    const names = ["olga", "anna", "boris", "clara", "dmitri"];
    cast = await Promise.all(names.map((name) => house().person(name)));
  });

  test("every attempt gets the model's status, and leaves the model's roles, ranks and bits", async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ everyone, roles, held, attempts }) => {
        const scene = await Scene.set(cast);
        const told: string[] = [];
        const expected: string[] = [];
        const openings: Attempt[] = [
          { do: "update", by: 0, role: 0, permissions: everyone, position: undefined },
          ...roles.map((role): Attempt => ({ do: "create", by: 0, ...role })),
          ...held.map((each, i): Attempt => ({ do: "assign", by: 0, to: i + 1, roles: each })),
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
      }),
      { numRuns: runs, seed: 20261121, endOnFailure: true },
    );
  });
});

/** One server, and its model beside it. */
class Scene {
  readonly #cast: readonly TestPerson[];
  readonly #serverId: string;
  readonly #channelId: string;
  readonly #code: string;
  readonly #model = new Model(people, 1795);
  /** The server's id of each role, by the model's number; numbers are never reused. */
  readonly #roleIds: string[];

  private constructor(
    cast: readonly TestPerson[],
    serverId: string,
    channelId: string,
    code: string,
    everyoneId: string,
  ) {
    this.#cast = cast;
    this.#serverId = serverId;
    this.#channelId = channelId;
    this.#code = code;
    this.#roleIds = [everyoneId];
  }

  static async set(cast: readonly TestPerson[]): Promise<Scene> {
    const [owner, ...others] = cast;
    if (!owner) throw new Error("nobody is there");
    const { id, general, everyone } = await owner.makeServer();
    const { code } = (await owner.post<Invite>("/invites", { server_id: id })).body;
    await Promise.all(others.map((other) => other.post(`/invites/${code}/join`)));
    return new Scene(cast, id, general.id, code, everyone.id);
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
      case "speak": {
        const { status } = await by.post(`/channels/${this.#channelId}/messages`, { content: "Hello." });
        return [status, model.speak(attempt.by)];
      }
    }
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
    for (const [i, person] of this.#cast.entries()) {
      const server = await person.get<{ permissions: number }>(`/servers/${this.#serverId}`);
      if (server.status === 200) bits[i] = server.body.permissions;
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
    };
  }

  modelled(): unknown {
    const { roles, members } = this.#model;
    return {
      roles: Object.fromEntries(roles),
      held: Object.fromEntries([...members].map(([person, held]) => [person, [...held].sort()])),
      bits: Object.fromEntries([...members.keys()].map((person) => [person, this.#model.bits(person)])),
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
