// Calls of members, as fast as the rate limits allow.
import { createECDH, randomBytes } from "node:crypto";
import {
  api,
  asUpload,
  type Flooding,
  first,
  membersFlood,
  owner,
  smallUpload,
  wideBody,
  withHeader,
} from "../asking.ts";
import { joiner, joinerIndex } from "../scenes/joiner.ts";
import { shelf } from "../scenes/shelf.ts";
import { village } from "../scenes/village.ts";

const browserKeys = {
  p256dh: createECDH("prime256v1").generateKeys("base64url"),
  auth: randomBytes(16).toString("base64url"),
};
const manyRanges = `bytes=${Array.from({ length: 900 }, (_, index) => `${index * 7}-${index * 7 + 3}`).join()}`;

export const members = [
  membersFlood({
    name: "uploads",
    what: "small uploads, 20 members",
    scene: village,
    perSecond: 200,
    people: first(20),
    calls: () => ["POST", `${api}/upload`, smallUpload],
    dress: asUpload,
  }),
  membersFlood({
    name: "subscriptions",
    what: "push subscriptions at addresses that nobody has, 10 members",
    scene: village,
    perSecond: 100,
    people: first(10),
    calls(_, number) {
      const endpoint = `https://push${number}.bench.invalid/x`;
      return ["POST", `${api}/push/subscribe`, { endpoint, ...browserKeys }];
    },
  }),
  membersFlood({
    name: "long-pages",
    what: "pages with 7,500 parameters, one member",
    scene: village,
    perSecond: 10,
    people: owner,
    calls: ({ channel }) => ["GET", `${channel}/messages?${"a&".repeat(7500)}`],
  }),
  membersFlood({
    name: "wide-posts",
    what: "posts of 30,000 fields, one member",
    scene: village,
    perSecond: 20,
    people: owner,
    calls: ({ channel }) => ["POST", `${channel}/messages`, wideBody],
  }),
  membersFlood({
    name: "long-posts",
    what: "posts of 4,000 letters, 10 members",
    scene: village,
    perSecond: 100,
    people: first(10),
    calls: ({ channel }) => ["POST", `${channel}/messages`, { content: "@nobody **<@".repeat(333) }],
  }),
  membersFlood({
    name: "invites",
    what: "guesses at invites, 20 members",
    scene: village,
    perSecond: 200,
    people: first(20),
    calls: () => ["GET", `${api}/invites/${Math.random().toString(36).slice(2, 10)}`],
  }),
  membersFlood({
    name: "typing",
    what: "typing, 20 members",
    scene: village,
    perSecond: 400,
    people: first(20),
    calls: ({ channel }) => ["POST", `${channel}/typing`],
  }),
  membersFlood({
    name: "ranges",
    what: "a file in 900 parts, 5 members",
    scene: shelf,
    perSecond: 100,
    people: first(5),
    calls: ({ facts }) => ["GET", `${api}/files/${facts.file}`],
    dress: (request) => withHeader(request, "Range", manyRanges),
  }),
  byJoiner("joiner-servers", "list of one's 2,000 servers", () => ["GET", `${api}/servers`]),
  byJoiner("joiner-profile", "new profiles of somebody in 2,000 servers", (_, number) => [
    "PATCH",
    `${api}/auth/me`,
    { status_text: `now ${number}` },
  ]),
  byJoiner("joiner-presence", "new presences of somebody in 2,000 servers", (_, number) => [
    "PUT",
    `${api}/auth/me/presence`,
    { status: number % 2 ? "idle" : "dnd" },
  ]),
];

function byJoiner(name: string, what: string, calls: Flooding<unknown>["calls"]) {
  return membersFlood({ name, what, scene: joiner, perSecond: 20, people: [joinerIndex], calls });
}
