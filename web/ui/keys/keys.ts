// The registry of keyboard shortcuts: views declare their commands here, and people may choose other keys for them.
import type { Words } from "../../words/en.ts";
import { keep, kept, onKeptElsewhere } from "../browser/kept.ts";

export interface Command {
  id: string;
  /** In tinykeys' syntax: "$mod+k" is Command on a Mac and Control elsewhere. */
  keys: string;
  name(words: Words): string;
  /** Listed below the others in the sheet, because few people need it. */
  isLast?: boolean;
  /** Also active while a dialog is open. */
  isEverywhere?: boolean;
}

const chosenKey = "keys";

let commands: ReadonlyMap<string, Command> = new Map();
let chosen = kept<Record<string, string>>(chosenKey) ?? {};
const watchers = new Set<() => void>();

onKeptElsewhere(chosenKey, () => {
  chosen = kept<Record<string, string>>(chosenKey) ?? {};
  for (const watcher of watchers) watcher();
});

/** Registers a command; files of views call this when they are loaded. */
export function command(added: Command): Command {
  commands = new Map(commands).set(added.id, added);
  for (const watcher of watchers) watcher();
  return added;
}

/** Returns the registered commands by id, as a new map after each change. */
export function allCommands(): ReadonlyMap<string, Command> {
  return commands;
}

export function keysOf({ id, keys }: Command): string {
  return chosen[id] ?? keys;
}

/** Returns the chosen keys by command id, as a new object after each change. */
export function chosenKeys(): Readonly<Record<string, string>> {
  return chosen;
}

export function chooseKeys(next: Readonly<Record<string, string>>): void {
  chosen = next;
  keep(chosenKey, next);
  for (const watcher of watchers) watcher();
}

/** Calls `watcher` when commands are added or get other keys. */
export function onKeys(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** True if it is Escape without modifiers: with them it is a command, such as the one that marks a server as read. */
export function isEscape(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">) {
  return keysIn(event) === "Escape";
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Returns the keys of an event in a command's syntax; undefined while only modifiers are held. */
export function keysIn(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
): string | undefined {
  const { key } = event;
  if (["Control", "Meta", "Alt", "Shift", "AltGraph"].includes(key)) return undefined;
  const held = [
    event.ctrlKey && (isMac ? "Control" : "$mod"),
    event.metaKey && (isMac ? "$mod" : "Meta"),
    event.altKey && "Alt",
    event.shiftKey && "Shift",
  ];
  return [...held.filter(Boolean), key.length === 1 ? key.toLowerCase() : key].join("+");
}
