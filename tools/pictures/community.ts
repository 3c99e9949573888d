// Fixtures for the screenshots, a small invented community: its people, channels and messages.
import { permission } from "../../protocol/permissions.ts";

/** The key of a person in the fixtures below, and their username. */
export type Who = keyof typeof people;

export const people = {
  robin: { name: "Robin Ashdown", status: "Reading schematics", here: "online", role: "Fixers" },
  amina: { name: "Amina Diallo", status: "At the counter till six", here: "online", role: "Keyholders" },
  jonas: { name: "Jonas Berg", status: "", here: "idle", role: "Keyholders" },
  mei: { name: "Mei Tanaka", status: "Recapping a TR-330", here: "online", role: "Fixers" },
  tomas: { name: "Tomás Ruiz", status: "Soldering, back at nine", here: "dnd", role: "Fixers" },
  priya: { name: "Priya Nair", status: "In the workshop", here: "online", role: "Fixers" },
  oskar: { name: "Oskar Lind", status: "", here: "online", role: undefined },
  leyla: { name: "Leyla Demir", status: "", here: "online", role: undefined },
  kofi: { name: "Kofi Mensah", status: "", here: "idle", role: undefined },
  ines: { name: "Inès Moreau", status: "", here: "offline", role: undefined },
  sam: { name: "Sam Whitfield", status: "", here: "offline", role: undefined },
  hanna: { name: "Hanna Vogel", status: "", here: "offline", role: undefined },
} as const;

/** The person whose page the screenshots show. */
export const reader: Who = "robin";

/** The bios on people's cards. */
export const bios: Partial<Record<Who, string>> = {
  mei: "Valves, transistors, and anything that hums. Ask before you throw a radio away.",
  amina: "I have the key, the kettle and the list of who comes when.",
  priya: "Sewing machines on Tuesdays.",
};

export const instanceName = "Harbour";
export const server = "Harbour Repair";

/** The reader's other servers: one with an unread message, one with a mention, one without news. */
export const otherServers = [
  { name: "Night Sky", icon: "moon", news: "Clear from eleven tonight, they say." },
  { name: "Sunday Choir", icon: "notes", news: "@robin can you bring the second tenor parts?" },
  { name: "Allotments", icon: undefined, news: undefined },
] as const;

/** A server without messages. */
export const emptyServer = "Orchard";

const all = permission;
export const roles = [
  {
    name: "Keyholders",
    color: "#b4532a",
    permissions:
      all.MANAGE_SERVER | all.MANAGE_CHANNELS | all.MANAGE_MESSAGES | all.KICK_MEMBERS | all.BAN_MEMBERS,
  },
  { name: "Fixers", color: "#12796a", permissions: all.MANAGE_MESSAGES },
  { name: "Apprentices", color: "#6a4fb3", permissions: 0 },
] as const;

export const mainChannel = "radios";

/** Channels in the order of the list; those with news are unread, and some mention the reader. */
export const channels = [
  { name: "radios", category: "Workbench" },
  {
    name: "sewing",
    category: "Workbench",
    news: { who: "priya", text: "The needle plate came in the post." },
  },
  { name: "bicycles", category: "Workbench", news: { who: "kofi", text: "@robin two flat tyres, one you?" } },
  { name: "clocks", category: "Workbench" },
  { name: "parts", category: "Workbench", isMuted: true },
  { name: "kitchen-table", category: "Café", news: { who: "leyla", text: "There is plum cake." } },
  { name: "show-and-tell", category: "Café" },
  { name: "Workshop", category: "Rooms", type: "voice" },
  { name: "Tea room", category: "Rooms", type: "voice" },
] as const satisfies readonly {
  name: string;
  category: string;
  type?: "voice";
  isMuted?: true;
  news?: { who: Who; text: string };
}[];

export const voiceRoom = "Workshop";

export const bot = {
  name: "Almanac",
  description: "Looks things up in the library of schematics.",
  commands: [
    { name: "schematic", description: "Find the drawing of a device" },
    { name: "opening", description: "When the workshop is open" },
  ],
};

export const webhook = "Parts counter";

export const event = {
  title: "Repair evening: bring one thing",
  description: "Tea from six. Whoever has a soldering iron, bring it too.",
  inDays: 3,
  from: "18:00",
  to: "21:00",
  going: ["amina", "mei", "priya", "oskar", "leyla", "tomas"],
  maybe: ["kofi", "jonas"],
} as const satisfies Record<string, unknown> & { going: readonly Who[]; maybe: readonly Who[] };

export interface Said {
  who: Who | "bot" | "webhook";
  at: string;
  text: string;
  /** A key by which a later message can reply to this one. */
  key?: string;
  answers?: string;
  reactions?: Readonly<Record<string, readonly Who[]>>;
  picture?: "dial";
  file?: { name: string; size: number };
  isEdited?: true;
}

export interface Day {
  daysAgo: number;
  said: readonly Said[];
}

interface Talk {
  key: string;
  by: Who;
  others: readonly Who[];
  name?: string;
  said: readonly (readonly [Who, string])[];
}

/** The reader's direct conversations, the oldest first. */
export const talks: readonly Talk[] = [
  { key: "kofi", by: "kofi", others: ["robin"], said: [["kofi", "Thank you, it runs again"]] },
  {
    ...{ key: "pier", by: "hanna", others: ["robin", "sam", "ines"] },
    said: [["robin", "see you at the pier"]],
  },
  { key: "leyla", by: "leyla", others: ["robin"], said: [["robin", "The tip is **0.8**, not 1.0"]] },
  {
    ...{ key: "opening", by: "robin", others: ["amina", "jonas", "priya"], name: "Saturday opening" },
    said: [
      ["amina", "Who brings the coffee?"],
      ["robin", "Then it is settled: Jonas opens, I am there at nine with the coffee"],
      ["amina", "keys are with Jonas"],
    ],
  },
  { key: "oskar", by: "oskar", others: ["robin"], said: [["oskar", "Is Thursday still free?"]] },
  {
    ...{ key: "mei", by: "mei", others: ["robin"] },
    said: [
      ["mei", "Do you still have the pliers with the red handle?"],
      ["robin", "In my bag. Why?"],
      ["mei", "Oskar's radio. The capacitor sits behind the tuning coil and my hands are too large"],
      ["robin", "I have two of them at home. I can bring one on Thursday"],
    ],
  },
];
