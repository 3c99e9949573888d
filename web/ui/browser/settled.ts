// What is typed, once it has not changed for a moment: a search asks for that, not for every letter.
import { useEffect, useState } from "react";

const settledMs = 200;

export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
