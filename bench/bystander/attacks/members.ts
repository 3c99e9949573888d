// Calls of people who have an account, as fast as the limits let them.
import { createECDH, randomBytes } from "node:crypto";
import { ask, membersFlood, wideBody, withHeader } from "../asking.ts";
import type { Scene } from "../attack.ts";
import { joiner, joinerIndex } from "../scenes/joiner.ts";
import { village } from "../scenes/village.ts";

const shelf: Scene<{ file: string }> = {
  name: "shelf",
  async prepare({ origin, people }) {
    const form = new FormData();
    form.set("file", new Blob(["What everybody wants to have a part of. ".repeat(20_000)]), "parts.txt");
    const headers = { Authorization: `Bearer ${people[0]!.token}` };
    const response = await fetch(`${origin}/api/v1/upload`, { method: "POST", headers, body: form });
    if (response.status !== 201) throw new Error(`an upload answered ${response.status}`);
    const { url } = (await response.json()) as { url: string };
    return { file: url.slice(url.lastIndexOf("/") + 1) };
  },
};
const browserKeys = {
  p256dh: createECDH("prime256v1").generateKeys("base64url"),
  auth: randomBytes(16).toString("base64url"),
};
const manyRanges = `bytes=${Array.from({ length: 900 }, (_, index) => `${index * 7}-${index * 7 + 3}`).join()}`;

const smallUpload = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${"a line\n".repeat(99)}\r\n--x--\r\n`;

export const members = [
  membersFlood({
    name: "uploads",
    what: "small uploads, 20 members",
    scene: village,
    perSecond: 200,
    people: 20,
    calls: (attacker) => (person) =>
      ask(attacker, "POST", "/upload", person, smallUpload).replace(
        "application/json\r\nContent",
        "multipart/form-data; boundary=x\r\nContent",
      ),
  }),
  membersFlood({
    name: "subscriptions",
    what: "push subscriptions at addresses that nobody has, 10 members",
    scene: village,
    perSecond: 100,
    people: 10,
    calls: (attacker) => (person, number) =>
      ask(attacker, "POST", "/push/subscribe", person, {
        endpoint: `https://push${number}.bench.invalid/x`,
        keys: browserKeys,
      }),
  }),
  membersFlood({
    name: "long-pages",
    what: "pages with 7,500 parameters, one member",
    scene: village,
    perSecond: 10,
    people: 1,
    calls: (attacker) => (person) =>
      ask(attacker, "GET", `/channels/${attacker.stage.channelId}/messages?${"a&".repeat(7500)}`, person),
  }),
  membersFlood({
    name: "wide-posts",
    what: "posts of 30,000 fields, one member",
    scene: village,
    perSecond: 20,
    people: 1,
    calls: (attacker) => (person) =>
      ask(attacker, "POST", `/channels/${attacker.stage.channelId}/messages`, person, wideBody),
  }),
  membersFlood({
    name: "long-posts",
    what: "posts of 4,000 letters, 10 members",
    scene: village,
    perSecond: 100,
    people: 10,
    calls: (attacker) => (person) =>
      ask(attacker, "POST", `/channels/${attacker.stage.channelId}/messages`, person, {
        content: "@nobody **<@".repeat(333),
      }),
  }),
  membersFlood({
    name: "invites",
    what: "guesses at invites, 20 members",
    scene: village,
    perSecond: 200,
    people: 20,
    calls: (attacker) => (person) =>
      ask(attacker, "GET", `/invites/${Math.random().toString(36).slice(2, 10)}`, person),
  }),
  membersFlood({
    name: "typing",
    what: "typing, 20 members",
    scene: village,
    perSecond: 400,
    people: 20,
    calls: (attacker) => (person) =>
      ask(attacker, "POST", `/channels/${attacker.stage.channelId}/typing`, person),
  }),
  membersFlood({
    name: "ranges",
    what: "a file in 900 parts, 5 members",
    scene: shelf,
    perSecond: 100,
    people: 5,
    calls: (attacker) => (person) =>
      withHeader(ask(attacker, "GET", `/files/${attacker.facts.file}`, person), "Range", manyRanges),
  }),
  membersFlood({
    name: "joiner-servers",
    what: "list of one's 2,000 servers",
    scene: joiner,
    perSecond: 20,
    people: 1,
    calls: (attacker) => () => ask(attacker, "GET", "/servers", attacker.stage.people[joinerIndex]),
  }),
  membersFlood({
    name: "joiner-profile",
    what: "new profiles of somebody in 2,000 servers",
    scene: joiner,
    perSecond: 20,
    people: 1,
    calls: (attacker) => (_, number) =>
      ask(attacker, "PATCH", "/auth/me", attacker.stage.people[joinerIndex], {
        status_text: `now ${number}`,
      }),
  }),
  membersFlood({
    name: "joiner-presence",
    what: "new presences of somebody in 2,000 servers",
    scene: joiner,
    perSecond: 20,
    people: 1,
    calls: (attacker) => (_, number) =>
      ask(attacker, "PUT", "/auth/me/presence", attacker.stage.people[joinerIndex], {
        status: number % 2 ? "idle" : "dnd",
      }),
  }),
];
