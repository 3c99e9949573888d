// Text typed into a dialog that was closed without sending: it is restored when the dialog is opened again.
import { useState } from "react";

/** Unsent text by the subject of its dialog (`about`), such as the ban of one person; lost on reload. */
const leftBehind = new Map<string, string>();

interface Typed {
  value: string;
  set(value: string): void;
  /** Drops the text once it was sent. */
  forget(): void;
}

export function useTyped(about: string): Typed {
  const [value, setValue] = useState(() => leftBehind.get(about) ?? "");
  return {
    value,
    set(next) {
      leftBehind.set(about, next);
      setValue(next);
    },
    forget: () => leftBehind.delete(about),
  };
}
