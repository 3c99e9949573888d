// Days and moments as lists say them: today by the clock, the others by their day.
import { currentLanguage } from "./words.ts";

/** "09:14" today, "12 July" in this year, else "12 July 2017". */
export function moment(at: Date, now = new Date()): string {
  if (isSameDay(at, now)) return form({ hour: "2-digit", minute: "2-digit" }).format(at);
  return day(at, now);
}

/** "12 July" in this year, else "12 July 2017". */
export function day(at: Date, now = new Date()): string {
  const isThisYear = at.getFullYear() === now.getFullYear();
  return form({ day: "numeric", month: "long", ...(!isThisYear && { year: "numeric" }) }).format(at);
}

export function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}

function form(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const language = currentLanguage();
  // As it is usual where the reader is: "22 November", "November 22".
  const regional = navigator.languages.find((each) => each.split("-")[0] === language);
  return new Intl.DateTimeFormat(regional ?? language, options);
}
