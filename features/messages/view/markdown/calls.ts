// The people that a text calls, and the channels that it names: found while it is read, so that code and links keep theirs.
import type { Token, Tokens } from "marked";

/** What a text may call, by its name in small letters. */
export interface Names {
  people: ReadonlyMap<string, string>;
  roles: ReadonlyMap<string, string>;
  channels: ReadonlyMap<string, string>;
  /** `@everyone` called them all; of people who may not, it is a word. */
  everyone: boolean;
}

export interface CallToken extends Tokens.Generic {
  type: "call";
  what: "person" | "role" | "everyone" | "channel";
  id: string;
}

const nameRun = /^[A-Za-z0-9_.-]{1,40}/;
const byId = /^<@(&?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/i;
/** A name in front of it makes it something else: an e-mail address, say. */
const beforeCall = /[A-Za-z0-9_.-]$/;

/** Returns where the next call or spoiler may begin; asked for each piece of the text, so it has to be quick. */
export function nextCall(this: unknown, src: string): number {
  const places = [src.indexOf("@"), src.indexOf("#"), src.indexOf("||")].filter((place) => place >= 0);
  return places.length > 0 ? Math.min(...places) : -1;
}

/** Returns the call at the beginning of what is still to be read, as the server would see it. */
export function callAt(src: string, before: readonly Token[], names: Names): CallToken | undefined {
  if (src.startsWith("<@")) return callById(src, names);
  const isCall = src.startsWith("@") || src.startsWith("#");
  if (!isCall || beforeCall.test(before.at(-1)?.raw ?? "")) return undefined;
  return src.startsWith("@") ? personOrRole(src, names) : named(src, names.channels, "channel");
}

function callById(src: string, names: Names): CallToken | undefined {
  const [raw, isRole, id = ""] = byId.exec(src) ?? [];
  if (raw === undefined) return undefined;
  const what = isRole ? "role" : "person";
  for (const [name, known] of isRole ? names.roles : names.people)
    if (known === id.toLowerCase()) return { type: "call", raw, what, id: known, text: `@${name}` };
  return undefined;
}

function personOrRole(src: string, names: Names): CallToken | undefined {
  const [run = ""] = nameRun.exec(src.slice(1)) ?? [];
  if (run.toLowerCase() === "everyone")
    return names.everyone
      ? { type: "call", raw: `@${run}`, what: "everyone", id: "", text: `@${run}` }
      : undefined;
  // `@bob.` is Bob and a full stop, unless somebody is called so.
  for (let end = run.length; end > 0; end--) {
    const id = names.people.get(run.slice(0, end).toLowerCase());
    const raw = src.slice(0, end + 1);
    if (id !== undefined) return { type: "call", raw, what: "person", id, text: raw };
    if (!/[._-]/.test(run[end - 1] ?? "")) break;
  }
  return named(src, names.roles, "role");
}

/** The longest name that stands there, and ends there. */
function named(src: string, known: Names["roles"], what: "role" | "channel"): CallToken | undefined {
  let longest: CallToken | undefined;
  for (const [name, id] of known) {
    const raw = src.slice(0, name.length + 1);
    if (raw.length <= (longest?.raw.length ?? 1) || raw.slice(1).toLowerCase() !== name) continue;
    if (/^[\p{L}\p{N}_]/u.test(src.slice(raw.length)) && /[\p{L}\p{N}_]$/u.test(raw)) continue;
    longest = { type: "call", raw, what, id, text: raw };
  }
  return longest;
}
