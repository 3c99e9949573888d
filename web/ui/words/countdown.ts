// Seconds and a countdown of them, in the reader's language.
import { useEffect, useState } from "react";
import { currentLanguage } from "./words.ts";

/** Returns the remaining time, "3 s"; undefined when it is over, or `seconds` is undefined. */
export function useCountdown(seconds: number | undefined): string | undefined {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    if (seconds === undefined) return;
    const end = Date.now() + seconds * 1000;
    const timer = setInterval(() => {
      const now = Math.ceil((end - Date.now()) / 1000);
      setLeft(now);
      if (now <= 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [seconds]);
  if (left === undefined || left <= 0) return undefined;
  return secondsText(left);
}

/** Returns a time such as "3 s". */
export function secondsText(seconds: number): string {
  return new Intl.NumberFormat(currentLanguage(), { style: "unit", unit: "second" }).format(seconds);
}
