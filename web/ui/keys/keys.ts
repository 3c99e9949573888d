// Keys that do things: every view declares its own here, the sheet of keys lists them, and people may choose others.
import type { Words } from "../../words/en.ts";
import { keep, kept, onKeptElsewhere } from "../browser/kept.ts";

export interface Command {
  id: string;
  /** As tinykeys writes them: "$mod+k" is Command on a Mac and Control elsewhere. */
  keys: string;
  name(words: Words): string;
  /** Stands below the others in the sheet: few people need it. */
  isLast?: boolean;
  /** Also while a dialog is open. */
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

/** Adds a command to those that there are; files of views do, when they are loaded. */
export function command(added: Command): Command {
  commands = new Map(commands).set(added.id, added);
  for (const watcher of watchers) watcher();
  return added;
}

/** By id, all that there are by now: another map once there are more. */
export function allCommands(): ReadonlyMap<string, Command> {
  return commands;
}

export function keysOf({ id, keys }: Command): string {
  return chosen[id] ?? keys;
}

/** By command, those that people chose in place of its own: another object once that changed. */
export function chosenKeys(): Readonly<Record<string, string>> {
  return chosen;
}

export function chooseKeys(next: Readonly<Record<string, string>>): void {
  chosen = next;
  keep(chosenKey, next);
  for (const watcher of watchers) watcher();
}

/** Calls `watcher` when commands came, or got other keys. */
export function onKeys(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Whether it is Escape by itself: with others held it is a command, like that which marks a server as read. */
export function isEscape(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">) {
  return keysIn(event) === "Escape";
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Returns the keys of an event as a command has them; undefined while only modifiers are held. */
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
