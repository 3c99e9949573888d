// Debounces typed text, so that a search does not make a request for every letter.
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
