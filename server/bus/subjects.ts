// Which subjects of the carrier an item goes to: that of its stream, of the people it concerns, or the one for all.
import { everyProcess, personStream, type StreamKey } from "../place.ts";
import type { BusItem } from "./bus.ts";

/** A stream, or every process. */
export type Subject = StreamKey | typeof everyProcess;

/** People whose own subjects are told; an event that touches more goes to every process. */
const mostTold = 50;

/** Returns the subjects through which other processes are to hear this. */
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
    // Others hear no more than that something may come, and it comes to them from the log.
    case "doubted":
    case "lost":
      return [];
  }
}

/** What an event touches is a person, all holders of a role, or everybody. */
export function isPerson(touched: string): boolean {
  return touched !== "*" && !touched.startsWith("role:");
}
