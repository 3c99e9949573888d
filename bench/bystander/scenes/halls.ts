// A server with the most channels allowed.
import { call } from "../../people.ts";
import type { Scene } from "../attack.ts";
import { everyoneOf } from "./everyone.ts";

export interface Halls {
  everyone: string;
}

export const halls: Scene<Halls> = {
  name: "halls",
  async prepare(stage, some) {
    const [owner] = stage.people;
    for (let made = 1; made < some(500); made++) {
      const body = { server_id: stage.serverId, name: `hall-${made}` };
      await call(stage.origin, owner!, "POST", "/channels", body);
    }
    return { everyone: await everyoneOf(stage) };
  },
};
