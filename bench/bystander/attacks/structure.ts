// Single changes that affect many people: everybody's permissions, in a server with the most channels allowed.
import { homeOfPerson } from "../../load/addresses.ts";
import { flood } from "../../load/flood.ts";
import { call } from "../../people.ts";
import { rawRequest } from "../../raw-requests.ts";
import { api, first, membersFlood, owner } from "../asking.ts";
import type { Attack } from "../attack.ts";
import { type Halls, halls } from "../scenes/halls.ts";
import { village } from "../scenes/village.ts";
import { withEars } from "./ears.ts";

const viewAndSend = 3;
const sendOnly = 2;
const oneAccount = [{ person: 1, sockets: 50 }];
const fourAccounts = [1, 2, 3, 4].map((person) => ({ person, sockets: 50 }));

const viewOfOne: Attack<Halls> = {
  name: "view-of-one",
  what: "a role that sees 500 channels given to one and taken, 50 sockets of theirs",
  scene: halls,
  async run(attacker) {
    const { origin, stage, facts } = attacker;
    const [keeper, one] = stage.people;
    const roles = `/servers/${stage.serverId}/roles`;
    await call(origin, keeper!, "PATCH", `${roles}/${facts.everyone}`, { permissions: sendOnly });
    const guests = { name: "guests", permissions: viewAndSend };
    const role = await call<{ id: string }>(origin, keeper!, "POST", roles, guests);
    const { id } = await call<{ id: string }>(origin, one!, "GET", "/auth/me");
    const path = `${api}/servers/${stage.serverId}/members/${id}/roles`;
    await attacker.go();
    await flood(attacker, {
      perSecond: 40,
      from: [homeOfPerson(0)],
      request: (number) =>
        rawRequest(origin, "PUT", path, keeper, { role_ids: number % 2 === 0 ? [role.id] : [] }),
    });
  },
};

export const structure = [
  withEars(toggle("view-toggled-1", 1, "200 sockets of four"), fourAccounts),
  withEars(toggle("view-toggled-5", 5, "50 sockets of one"), oneAccount),
  withEars(toggle("view-toggled-20", 20, "50 sockets of one"), oneAccount),
  withEars(viewOfOne, oneAccount),
  withEars(
    membersFlood({
      name: "channels-renamed",
      what: "channels renamed, 200 sockets listen",
      scene: village,
      perSecond: 40,
      people: owner,
      calls: ({ channel }, number) => ["PATCH", channel, { name: `hall-${number}` }],
    }),
    fourAccounts,
  ),
  withEars(
    membersFlood({
      name: "channels-made",
      what: "channels made, 200 sockets listen",
      scene: village,
      perSecond: 50,
      people: owner,
      calls({ stage }, number) {
        return ["POST", `${api}/channels`, { server_id: stage.serverId, name: `hall-${number}` }];
      },
    }),
    fourAccounts,
  ),
  membersFlood({
    name: "servers-made",
    what: "servers made, 10 people",
    scene: village,
    perSecond: 200,
    people: first(10),
    calls: () => ["POST", `${api}/servers`, { name: "One more" }],
  }),
];

function toggle(name: string, perSecond: number, listening: string): Attack<Halls> {
  return membersFlood({
    name,
    what: `VIEW_CHANNEL of @everyone taken and given, 500 channels, ${listening}`,
    scene: halls,
    perSecond,
    people: owner,
    calls({ server, facts }, number) {
      const permissions = number % 2 === 0 ? sendOnly : viewAndSend;
      return ["PATCH", `${server}/roles/${facts.everyone}`, { permissions }];
    },
  });
}
