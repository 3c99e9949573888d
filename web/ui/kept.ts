// Small choices that this browser keeps: what is folded, what was open last.
import { useState } from "react";

const prefix = "hearth.";

export function useKept<T>(key: string, byDefault: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => kept(key) ?? byDefault);
  return [
    value,
    (next) => {
      keep(key, next);
      setValue(next);
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
