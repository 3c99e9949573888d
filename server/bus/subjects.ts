// The carrier's subjects that an item is sent to: its stream's, those of the people it concerns, or the one for all.
import { everyProcess, personStream, type StreamKey } from "../place.ts";
import type { BusItem } from "./bus.ts";

/** A stream, or every process. */
export type Subject = StreamKey | typeof everyProcess;

/** The most people whose own subjects are used; an event that touches more goes to every process. */
const mostTold = 50;

/** Returns the subjects on which other processes receive this item. */
export function subjectsOf(item: BusItem): readonly Subject[] {
  switch (item.kind) {
    case "logged": {
      const people = item.touches.filter(isPerson);
      if (people.length > mostTold) return [everyProcess];
      return [item.stream, ...people.map(personStream)];
    }
    case "live":
      return [item.to.stream];
    case "dropped":
      return [item.stream ?? everyProcess];
    case "round":
    case "sessions-ended":
    case "sockets":
    case "word":
      return [everyProcess];
    // Other processes only need to look for new events, and those come from the log.
    case "doubted":
    case "lost":
      return [];
  }
}

/** True if an event touches a person, rather than all holders of a role (`role:`) or of an audience, or everybody. */
export function isPerson(touched: string): boolean {
  return touched !== "*" && !touched.includes(":");
}
