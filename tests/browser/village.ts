// A server with two channels besides the general one, its owner, and a member.
import type { Channel } from "../../features/channels/contract.ts";
import type { Scene } from "./scene.ts";

/** Alice's village with Bob in it, and with a garden and a cellar besides the general channel. */
export async function village(scene: Scene) {
  const [alice, bob] = [await scene.person("alice"), await scene.person("bob")];
  const server = await alice.makeServer("The village");
  const make = async (name: string, position: number) =>
    (await alice.post<Channel>("/channels", { server_id: server.id, name, category: "Outside", position }))
      .body;
  const [garden, cellar] = [await make("garden", 2), await make("cellar", 3)];
  await alice.bringIn(server.id, bob);
  return { alice, bob, server, garden, cellar };
}
