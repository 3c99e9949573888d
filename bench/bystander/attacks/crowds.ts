// Large numbers of rows, read and deleted.
import { api, type Flooding, first, membersFlood, owner } from "../asking.ts";
import type { Scene } from "../attack.ts";
import { type Fame, fame } from "../scenes/fame.ts";
import { metropolis } from "../scenes/metropolis.ts";
import { withEars } from "./ears.ts";

/** Attacks that delete rows come last, because later ones would miss them. */
export const crowds = [
  membersFlood({
    name: "famous-page",
    what: "page with 10⁵ reactions on each of ten messages, 10 readers",
    scene: fame,
    perSecond: 10,
    people: first(10),
    calls: ({ channel }) => ["GET", `${channel}/messages?limit=50`],
  }),
  membersFlood({
    name: "famous-reactors",
    what: "who the 10⁵ were, 5 readers",
    scene: fame,
    perSecond: 5,
    people: first(5),
    calls: ({ facts }, number) => ["GET", reactionsTo(facts, number)],
  }),
  membersFlood({
    name: "famous-reacting",
    what: "reactions to them and back, 20 members",
    scene: fame,
    perSecond: 100,
    people: first(20),
    calls({ facts }, number) {
      const path = reactionsTo(facts, Math.floor(number / 40));
      const isBack = Math.floor(number / 20) % 2 === 1;
      return isBack ? ["DELETE", `${path}/${encodeURIComponent("👍")}`] : ["POST", path, { emoji: "👍" }];
    },
  }),
  membersFlood({
    name: "famous-events",
    what: "list of 20 events with 50,000 answers each, 10 readers",
    scene: fame,
    perSecond: 10,
    people: first(10),
    calls: ({ server }) => ["GET", `${server}/events`],
  }),
  once("famous-event-deleted", "one such event deleted", fame, ({ facts }) => [
    "DELETE",
    `${api}/events/${facts.events[0]}`,
  ]),
  once("famous-deleted", "ten messages with 10⁵ reactions each deleted at once", fame, (place) => [
    "POST",
    `${place.channel}/messages/bulk-delete`,
    { message_ids: place.facts.messages },
  ]),
  membersFlood({
    name: "member-lists",
    what: "member list of 10⁵ by 1,000, 10 readers",
    scene: metropolis,
    perSecond: 50,
    people: first(10),
    calls({ server, facts: { some } }, number) {
      return ["GET", `${server}/members?limit=1000&after=${some[number % some.length]}`];
    },
  }),
  membersFlood({
    name: "ban-lists",
    what: "list of 10⁴ bans",
    scene: metropolis,
    perSecond: 20,
    people: owner,
    calls: ({ server }) => ["GET", `${server}/bans`],
  }),
  membersFlood({
    name: "command-lists",
    what: "list of 1,000 slash commands, 5 readers",
    scene: metropolis,
    perSecond: 50,
    people: first(5),
    calls: ({ server }) => ["GET", `${server}/commands`],
  }),
  membersFlood({
    name: "mentions",
    what: "posts that mention 100 of 10⁵ and everybody",
    scene: metropolis,
    perSecond: 10,
    people: owner,
    calls({ channel, facts: { some } }) {
      const content = `@everyone ${some.map((id) => `<@${id}>`).join("")}`;
      return ["POST", `${channel}/messages`, { content }];
    },
  }),
  membersFlood({
    name: "comings",
    what: "people join and leave 10⁵, 20 of them",
    scene: metropolis,
    perSecond: 20,
    people: first(22).slice(2),
    calls({ server, facts }, number) {
      const isIn = Math.floor(number / 20) % 2 === 0;
      return isIn ? ["DELETE", `${server}/members/@me`] : ["POST", `${api}/invites/${facts.invite}/join`];
    },
  }),
  withEars(
    membersFlood({
      name: "role-changes",
      what: "role of 10⁵ renamed, 50 sockets listen",
      scene: metropolis,
      perSecond: 20,
      people: owner,
      calls({ server, facts }, number) {
        return ["PATCH", `${server}/roles/${facts.herd}`, { name: `herd ${number}` }];
      },
    }),
    [{ person: 1, sockets: 50 }],
  ),
  once("archive-deleted", "channel of 200,000 messages deleted", metropolis, ({ facts }) => [
    "DELETE",
    `${api}/channels/${facts.archive}`,
  ]),
  once("role-deleted", "role held by 10⁵ deleted", metropolis, ({ server, facts }) => [
    "DELETE",
    `${server}/roles/${facts.herd}`,
  ]),
  once("server-deleted", "server of 10⁵ deleted", metropolis, ({ server }) => ["DELETE", server]),
];

/** One call by the server's owner. */
function once<Facts>(name: string, what: string, scene: Scene<Facts>, calls: Flooding<Facts>["calls"]) {
  return membersFlood({ name, what, scene, perSecond: 1, people: owner, most: 1, calls });
}

function reactionsTo({ messages }: Fame, number: number): string {
  return `${api}/messages/${messages[number % messages.length]}/reactions`;
}
