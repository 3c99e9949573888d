// Keys that do things: every view declares its own here, the sheet of keys lists them, and people may choose others.
import { useEffect, useRef, useSyncExternalStore } from "react";
import { tinykeys } from "tinykeys";
import type { Words } from "../words/en.ts";
import { keep, kept } from "./kept.ts";

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

type Run = (event: KeyboardEvent) => void;

const chosenKey = "keys";
const lettersKey = "letter-keys";

const commands = new Map<string, Command>();
/** By command: what it does now. The view that was mounted last has it. */
const runs = new Map<string, Run[]>();
const watchers = new Set<() => void>();
let chosen = kept<Record<string, string>>(chosenKey) ?? {};
let listed: readonly Command[] = [];
let unbind = () => {};

/** Adds a command to those that there are; files of views do, when they are loaded. */
export function command(added: Command): Command {
  commands.set(added.id, added);
  listed = [...commands.values()].sort(
    (one, other) => Number(one.isLast ?? false) - Number(other.isLast ?? false),
  );
  return added;
}

/** Runs at the command's keys, while the view is mounted. */
export function useCommand({ id }: Command, run: Run): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const mine: Run = (event) => latest.current(event);
    runs.set(id, [...(runs.get(id) ?? []), mine]);
    bind();
    return () => {
      runs.set(
        id,
        (runs.get(id) ?? []).filter((each) => each !== mine),
      );
      bind();
    };
  }, [id]);
}

export function keysOf({ id, keys }: Command): string {
  return chosen[id] ?? keys;
}

/** All commands, and again when one got other keys. */
export function useCommands(): readonly Command[] {
  useSyncExternalStore(subscribe, () => chosen);
  return listed;
}

/** Gives a command other keys; undefined: its own again. */
export function rebind(id: string, keys: string | undefined): void {
  const { [id]: _, ...others } = chosen;
  changeChosen(keys === undefined ? others : { ...others, [id]: keys });
}

export function resetKeys(): void {
  changeChosen({});
}

function changeChosen(next: Record<string, string>): void {
  chosen = next;
  keep(chosenKey, next);
  bind();
  for (const watcher of watchers) watcher();
}

/** Whether single letters do things on a message that has the focus. */
export function lettersOn(): boolean {
  return kept<boolean>(lettersKey) ?? true;
}

export function useLetters(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, lettersOn);
  return [
    isOn,
    (next) => {
      keep(lettersKey, next);
      for (const watcher of watchers) watcher();
    },
  ];
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Soon, once: views come and go several at a time. */
let isDue = false;

function bind(): void {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    unbind();
    const bindings: Record<string, Run> = {};
    for (const each of commands.values()) {
      const run = runs.get(each.id)?.at(-1);
      if (run) bindings[keysOf(each)] = (event) => runUnlessElsewhere(each, run, event);
    }
    // All of them have modifiers, or are no letters: they do what they do while one writes, too.
    unbind = tinykeys(window, bindings, { ignore: () => false });
  });
}

function runUnlessElsewhere({ isEverywhere }: Command, run: Run, event: KeyboardEvent): void {
  if (event.isComposing || event.defaultPrevented) return;
  const isOverlaid = event.target instanceof Element && event.target.closest("[role=dialog], [role=menu]");
  if (isOverlaid && !isEverywhere) return;
  event.preventDefault();
  run(event);
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Keys as people read them: ["Ctrl", "K"], ["⌘", "K"]. */
export function readable(keys: string): readonly string[] {
  const said = keys.split("+").filter((key) => !/^\[.+\]$/.test(key));
  return said.map((key) => signs.get(key) ?? (key.length === 1 ? key.toLocaleUpperCase() : key));
}

const signs = new Map([
  ["$mod", isMac ? "⌘" : "Ctrl"],
  ["Control", isMac ? "⌃" : "Ctrl"],
  ["Meta", isMac ? "⌘" : "Meta"],
  ["Alt", isMac ? "⌥" : "Alt"],
  ["Shift", isMac ? "⇧" : "Shift"],
  ["ArrowUp", "↑"],
  ["ArrowDown", "↓"],
  ["ArrowLeft", "←"],
  ["ArrowRight", "→"],
  ["Escape", "Esc"],
]);

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
