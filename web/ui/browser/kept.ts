// Small choices that this browser keeps: what is folded, what was open last.
import { useState } from "react";

const prefix = "hearth.";

/** The choice under this key; a view that is given another key goes on with the choice under that one. */
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

/** Undefined where nothing was kept, or it cannot be read. */
export function kept<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(prefix + key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What cannot be kept, because the storage is full or refused, counts until the page is closed. Returns whether it is. */
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
    // Then it was not kept either.
  }
}

/** Calls `heard` when another tab of this browser kept something else by that key. */
export function onKeptElsewhere(key: string, heard: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === prefix + key) heard();
  });
}

/** The keys that begin so, of all that is kept. */
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
