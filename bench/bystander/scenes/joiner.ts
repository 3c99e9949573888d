// A person in very many servers: more than the present limit, as old accounts may be.
import { call } from "../../people.ts";
import type { Scene } from "../attack.ts";

/** Index of the person who joined all servers. */
export const joinerIndex = 2;

export const joiner: Scene<{ model: string }> = {
  name: "joiner",
  async prepare({ origin, people }) {
    const owner = people[1]!;
    const { id } = await call<{ id: string }>(origin, owner, "POST", "/servers", { name: "One of many" });
    const { code } = await call<{ code: string }>(origin, owner, "POST", "/invites", { server_id: id });
    await call(origin, people[joinerIndex]!, "POST", `/invites/${code}/join`);
    // Invite codes are unique, and this server is going to be copied.
    await call(origin, owner, "DELETE", `/invites/${code}`);
    return { model: id };
  },
  fill(filler, _, { model }, some) {
    for (let made = 1; made < some(2000); made++) filler.copyServer(model);
  },
};
