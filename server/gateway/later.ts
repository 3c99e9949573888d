// Audiences that begin with events later than the one that is being settled: rights are looked up as they are now, which
// may be after these events.
import type { Audience } from "../../protocol/event.ts";
import type { Db } from "../database/database.ts";
import { type After, touchedAfter } from "../house/log-table.ts";
import { beginsAudience, type Held, replacedBy, withoutAudiences } from "./audience.ts";

/** An audience that begins with a later event, and the one whose place it takes; undefined for a new one. */
interface LaterAudience {
  audience: Audience;
  replaces: Audience | undefined;
}

/** Returns the audiences that begin with events of the stream after this one. */
export async function laterAudiences(db: Db, after: After): Promise<LaterAudience[]> {
  const rows = await touchedAfter(db, after, beginsAudience);
  return rows.map(({ audience, touches }) => ({ audience, replaces: replacedBy(touches) }));
}

/**
 * Returns a function that takes such audiences out of what a listener holds by their rights of now, where the listener
 * is told of the channel when the audience begins: of a new one, and of one that takes the place of an audience that
 * they hold (`listened`). Told now as well, they would hear of the channel twice.
 */
export function withoutLater(later: readonly LaterAudience[]): (held: Held, listened: Held) => Held {
  if (later.length === 0) return (held) => held;
  // Thousands of listeners hold the same few sets.
  const known = new Map<Held, Map<Held, Held>>();
  return (held, listened) => {
    const byListened = known.get(held) ?? new Map<Held, Held>();
    known.set(held, byListened);
    const masked = byListened.get(listened) ?? withoutAudiences(held, namesFor(later, listened));
    byListened.set(listened, masked);
    return masked;
  };
}

function namesFor(later: readonly LaterAudience[], listened: Held): ReadonlySet<Audience> {
  const told = later.filter(
    ({ audience, replaces }) => !listened.has(audience) && (replaces === undefined || listened.has(replaces)),
  );
  return new Set(told.map(({ audience }) => audience));
}
