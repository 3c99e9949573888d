// The reader's choices about keyboard shortcuts: other keys for a command, and whether single-letter keys are on.
import { useSyncExternalStore } from "react";
import { keep, kept } from "../browser/kept.ts";
import { allCommands, type Command, chooseKeys, chosenKeys, onKeys } from "./keys.ts";

const lettersKey = "letter-keys";
const watchers = new Set<() => void>();

/** Returns all commands; updates when keys change, or when a part that was loaded later adds commands. */
export function useCommands(): readonly Command[] {
  useSyncExternalStore(onKeys, chosenKeys);
  const commands = useSyncExternalStore(onKeys, allCommands);
  return [...commands.values()].sort(
    (one, other) => Number(one.isLast ?? false) - Number(other.isLast ?? false),
  );
}

/** Gives a command other keys; undefined restores its default. */
export function rebind(id: string, keys: string | undefined): void {
  const { [id]: _, ...others } = chosenKeys();
  chooseKeys(keys === undefined ? others : { ...others, [id]: keys });
}

export function resetKeys(): void {
  chooseKeys({});
}

/** True if single-letter keys act on the focused message. */
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
