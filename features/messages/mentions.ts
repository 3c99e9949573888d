// Finds the people and roles that a text calls: it is read once, as the page reads it, so that all are shown who are called.
import { type Call, Calls, type Names } from "./text/calls.ts";
import { parse } from "./text/parse.ts";
import { Steps } from "./text/steps.ts";
import type { Block, Inline } from "./text/tree.ts";

type Called = Pick<Call, "what" | "id">;

/** Enough for every sensible text; the rest is not looked up. */
const mostNames = 800;
const run = /@([a-z0-9_.-]{1,40})/gi;
const byId = /<@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/gi;
const sign = /[._-]$/;

/**
 * Returns the usernames, in small letters, and the ids of people who may be meant; the people called are among them, and
 * those of code and addresses, which call nobody.
 */
export function askedIn(text: string): { names: string[]; ids: string[] } {
  const names = new Set<string>();
  run.lastIndex = 0;
  for (let found = run.exec(text); found && names.size < mostNames; found = run.exec(text)) {
    // `@bob.` is Bob and a full stop, unless somebody is called so.
    for (let name = (found[1] ?? "").toLowerCase(); name !== ""; name = name.slice(0, -1)) {
      names.add(name);
      if (!sign.test(name)) break;
    }
  }
  return { names: [...names].slice(0, mostNames), ids: text.includes("<@") ? idsIn(text) : [] };
}

function idsIn(text: string): string[] {
  return [...new Set([...text.matchAll(byId)].map(([, id = ""]) => id.toLowerCase()))];
}

/** Syntax that can turn an `@name` into something else: Markdown, line breaks, and a character right before the `@`. */
const meaning = /[\\`*_~[\]<>#|\n\r\t]|[^ ]@/;
/** Calls that stay below the parser's limits in any text: only more of them need it. */
const fewCalls = 8;

/** Returns the calls of a text in their order. */
export function callsIn(text: string, names: Names): Called[] {
  // Most texts that call somebody are words: to take them apart would cost ten times as much.
  if (!meaning.test(text) && text.split("@", fewCalls + 2).length <= fewCalls + 1)
    return callsOfWords(text, names);
  const calls: Called[] = [];
  for (const block of parse(text, names)) addCalls(block, calls);
  return calls;
}

function callsOfWords(text: string, names: Names): Called[] {
  const calls = new Calls(text, names, new Steps(text.length));
  const found: Called[] = [];
  for (let at = text.indexOf("@"); at >= 0; ) {
    const call = calls.at(at);
    if (call) found.push(call);
    at = text.indexOf("@", at + (call?.raw.length ?? 1));
  }
  return found;
}

function addCalls(part: Block | Inline, calls: Called[]): void {
  if (typeof part === "string") return;
  if (part.kind === "call") calls.push(part);
  else if (part.kind === "list") for (const each of part.items.flat()) addCalls(each, calls);
  else if ("children" in part) for (const each of part.children) addCalls(each, calls);
}
