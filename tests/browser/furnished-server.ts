// A server of three roles, with an owner, a moderator and a member.
import type { Role } from "../../features/roles/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import type { TestPerson } from "../house/people/people.ts";
import type { Scene } from "./scene.ts";

const moderating = permission.MANAGE_SERVER | permission.KICK_MEMBERS | permission.BAN_MEMBERS;

/** A server with three roles, and people in it. */
export async function furnished(scene: Scene, name: string) {
  const [owner, moderator, member] = [
    await scene.person("olga"),
    await scene.person("marta"),
    await scene.person("ben"),
  ];
  const server = await owner.makeServer(name);
  await owner.bringIn(server.id, moderator, member);
  const role = async (name: string, permissions: number, position: number) =>
    (
      await owner.post<Role>(`/servers/${server.id}/roles`, {
        name,
        permissions,
        position,
        color: "#b0562f",
      })
    ).body;
  const operators = await role("Operators", moderating, 30);
  const helpers = await role("Helpers", permission.MANAGE_MESSAGES, 20);
  const listeners = await role("Listeners", 0, 10);
  await owner.put(`/servers/${server.id}/members/${moderator.id}/roles`, { role_ids: [operators.id] });
  return { owner, moderator, member, server, operators, helpers, listeners };
}

export async function rolesOf(person: TestPerson, serverId: string): Promise<Role[]> {
  return (await person.get<Role[]>(`/servers/${serverId}/roles`)).body;
}
