// Finds the @everyone role of a server.
import { call, type Stage } from "../../people.ts";

export async function everyoneOf(stage: Stage): Promise<string> {
  const path = `/servers/${stage.serverId}/roles`;
  const roles = await call<{ id: string; position: number }[]>(stage.origin, stage.people[0]!, "GET", path);
  return roles.find((role) => role.position === 0)!.id;
}
