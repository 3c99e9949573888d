// What was typed into a dialog that was closed before it was sent: it stands there again when the dialog is opened anew.
import { useState } from "react";

/** As long as the page is open: `about` says of what it is, the ban of one person, say. */
const leftBehind = new Map<string, string>();

interface Typed {
  value: string;
  set(value: string): void;
  /** It was sent, and is not needed again. */
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
