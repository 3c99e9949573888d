// Small choices in local storage, such as folded categories and the last open channel.
import { useState } from "react";

const prefix = "hearth.";

/** Returns the choice under this key and its setter. When the key changes, so does the choice. */
export function useKept<T>(key: string, byDefault: T): [T, (value: T) => void] {
  const read = () => ({ key, value: kept<T>(key) ?? byDefault });
  const [last, setLast] = useState(read);
  const current = last.key === key ? last : read();
  if (current !== last) setLast(current);
  return [
    current.value,
    (next) => {
      keep(key, next);
      setLast({ key, value: next });
    },
  ];
}

/** Returns undefined when nothing is stored, or it cannot be read. */
export function kept<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(prefix + key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores a value. Returns false when the storage is full or refused: the value then lasts until the page is closed. */
export function keep(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function dropKept(key: string): void {
  try {
    localStorage.removeItem(prefix + key);
  } catch {
    // Without storage, nothing was stored either.
  }
}

/** Calls `heard` when another tab of this browser changes the value under this key. */
export function onKeptElsewhere(key: string, heard: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === prefix + key) heard();
  });
}

/** Returns the stored keys with this prefix. */
export function keptNames(beginning: string): string[] {
  try {
    const names = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? "");
    return names
      .filter((name) => name.startsWith(prefix + beginning))
      .map((name) => name.slice(prefix.length));
  } catch {
    return [];
  }
}
