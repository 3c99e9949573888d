// Finds the mentions of a text with the parser of the page, so that everybody who is mentioned is also shown as such.
import { type Call, Calls, type Names, namesAt } from "./text/calls.ts";
import { parse } from "./text/parse.ts";
import { Steps } from "./text/steps.ts";
import type { Block, Inline } from "./text/tree.ts";

type Called = Pick<Call, "what" | "id">;

/** Enough for every sensible text; further names are not looked up. */
const mostNames = 800;
const run = /@([a-z0-9_.-]{1,40})/gi;
const byId = /<@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/gi;

/**
 * Returns lower-case usernames and ids of the people who may be mentioned: a superset of the mentioned ones, as names
 * in code and URLs are included.
 */
export function askedIn(text: string): { names: string[]; ids: string[] } {
  const names = new Set<string>();
  run.lastIndex = 0;
  for (let found = run.exec(text); found && names.size < mostNames; found = run.exec(text)) {
    for (const name of namesAt((found[1] ?? "").toLowerCase())) names.add(name);
  }
  return { names: [...names].slice(0, mostNames), ids: text.includes("<@") ? idsIn(text) : [] };
}

function idsIn(text: string): string[] {
  return [...new Set([...text.matchAll(byId)].map(([, id = ""]) => id.toLowerCase()))];
}

/** Syntax that can change what an `@name` means: Markdown, line breaks, and a character right before the `@`. */
const meaning = /[\\`*_~[\]<>#|\n\r\t]|[^ ]@/;
/** With at most this many mentions every text stays below the parser's limits. */
const fewCalls = 8;

/** Returns the mentions of a text in order. */
export function callsIn(text: string, names: Names): Called[] {
  // Most texts with mentions are plain words: a full parse would cost ten times as much.
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
