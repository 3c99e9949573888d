// What very many people did, asked for and taken away.
import { ask, membersFlood } from "../asking.ts";
import { fame } from "../scenes/fame.ts";
import { metropolis } from "../scenes/metropolis.ts";
import { withEars } from "./ears.ts";

const channelPage = "messages?limit=50";

/** Those that take something away stand last: whoever comes after them would not find it. */
export const crowds = [
  membersFlood({
    name: "famous-page",
    what: "page with 10⁵ reactions on each of ten messages, 10 readers",
    scene: fame,
    perSecond: 10,
    people: 10,
    calls: (attacker) => (person) =>
      ask(attacker, "GET", `/channels/${attacker.stage.channelId}/${channelPage}`, person),
  }),
  membersFlood({
    name: "famous-reactors",
    what: "who the 10⁵ were, 5 readers",
    scene: fame,
    perSecond: 5,
    people: 5,
    calls: (attacker) => (person, number) =>
      ask(attacker, "GET", `/messages/${attacker.facts.messages[number % 10]}/reactions`, person),
  }),
  membersFlood({
    name: "famous-reacting",
    what: "reactions to them and back, 20 members",
    scene: fame,
    perSecond: 100,
    people: 20,
    calls: (attacker) => (person, number) => {
      const path = `/messages/${attacker.facts.messages[Math.floor(number / 40) % 10]}/reactions`;
      const isBack = Math.floor(number / 20) % 2 === 1;
      return isBack
        ? ask(attacker, "DELETE", `${path}/${encodeURIComponent("👍")}`, person)
        : ask(attacker, "POST", path, person, { emoji: "👍" });
    },
  }),
  membersFlood({
    name: "famous-events",
    what: "list of 20 events with 50,000 answers each, 10 readers",
    scene: fame,
    perSecond: 10,
    people: 10,
    calls: (attacker) => (person) =>
      ask(attacker, "GET", `/servers/${attacker.stage.serverId}/events`, person),
  }),
  membersFlood({
    name: "famous-event-deleted",
    what: "one such event deleted",
    scene: fame,
    perSecond: 1,
    people: 1,
    most: 1,
    calls: (attacker) => (owner) => ask(attacker, "DELETE", `/events/${attacker.facts.events[0]}`, owner),
  }),
  membersFlood({
    name: "famous-deleted",
    what: "ten messages with 10⁵ reactions each deleted at once",
    scene: fame,
    perSecond: 1,
    people: 1,
    most: 1,
    calls: (attacker) => (owner) =>
      ask(attacker, "POST", `/channels/${attacker.stage.channelId}/messages/bulk-delete`, owner, {
        message_ids: attacker.facts.messages,
      }),
  }),
  membersFlood({
    name: "member-lists",
    what: "member list of 10⁵ by 1,000, 10 readers",
    scene: metropolis,
    perSecond: 50,
    people: 10,
    calls: (attacker) => (person, number) => {
      const after = attacker.facts.some[number % attacker.facts.some.length];
      return ask(
        attacker,
        "GET",
        `/servers/${attacker.stage.serverId}/members?limit=1000&after=${after}`,
        person,
      );
    },
  }),
  membersFlood({
    name: "ban-lists",
    what: "list of 10⁴ bans",
    scene: metropolis,
    perSecond: 20,
    people: 1,
    calls: (attacker) => (owner) => ask(attacker, "GET", `/servers/${attacker.stage.serverId}/bans`, owner),
  }),
  membersFlood({
    name: "command-lists",
    what: "list of 1,000 slash commands, 5 readers",
    scene: metropolis,
    perSecond: 50,
    people: 5,
    calls: (attacker) => (person) =>
      ask(attacker, "GET", `/servers/${attacker.stage.serverId}/commands`, person),
  }),
  membersFlood({
    name: "mentions",
    what: "posts that mention 100 of 10⁵ and everybody",
    scene: metropolis,
    perSecond: 10,
    people: 1,
    calls: (attacker) => (owner) =>
      ask(attacker, "POST", `/channels/${attacker.stage.channelId}/messages`, owner, {
        content: `@everyone ${attacker.facts.some.map((id) => `<@${id}>`).join("")}`,
      }),
  }),
  membersFlood({
    name: "comings",
    what: "people join and leave 10⁵, 20 of them",
    scene: metropolis,
    perSecond: 20,
    people: 20,
    calls: (attacker) => (_, number) => {
      const person = attacker.stage.people[2 + (number % 20)]!;
      return Math.floor(number / 20) % 2 === 0
        ? ask(attacker, "DELETE", `/servers/${attacker.stage.serverId}/members/@me`, person)
        : ask(attacker, "POST", `/invites/${attacker.facts.invite}/join`, person);
    },
  }),
  withEars(
    membersFlood({
      name: "role-changes",
      what: "role of 10⁵ renamed, 50 sockets listen",
      scene: metropolis,
      perSecond: 20,
      people: 1,
      calls: (attacker) => (owner, number) =>
        ask(attacker, "PATCH", `/servers/${attacker.stage.serverId}/roles/${attacker.facts.herd}`, owner, {
          name: `herd ${number}`,
        }),
    }),
    [{ person: 1, sockets: 50 }],
  ),
  membersFlood({
    name: "archive-deleted",
    what: "channel of 200,000 messages deleted",
    scene: metropolis,
    perSecond: 1,
    people: 1,
    most: 1,
    calls: (attacker) => (owner) => ask(attacker, "DELETE", `/channels/${attacker.facts.archive}`, owner),
  }),
  membersFlood({
    name: "role-deleted",
    what: "role held by 10⁵ deleted",
    scene: metropolis,
    perSecond: 1,
    people: 1,
    most: 1,
    calls: (attacker) => (owner) =>
      ask(attacker, "DELETE", `/servers/${attacker.stage.serverId}/roles/${attacker.facts.herd}`, owner),
  }),
  membersFlood({
    name: "server-deleted",
    what: "server of 10⁵ deleted",
    scene: metropolis,
    perSecond: 1,
    people: 1,
    most: 1,
    calls: (attacker) => (owner) => ask(attacker, "DELETE", `/servers/${attacker.stage.serverId}`, owner),
  }),
];
