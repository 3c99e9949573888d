// The listeners of a replay: each receives everything, and may be disconnected at random moments and reconnect.

import { Listener } from "../client/listener.ts";
import type { Person } from "../client/person.ts";
import { Tally } from "../client/tally.ts";
import type { Timing } from "./timing.ts";

const CUTS_EACH = 6;
const LONGEST_AWAY_MS = 300;
// An audience that has received nothing new for this long is not going to receive the rest.
const SILENCE_MS = 10_000;

export interface Seat {
  listener: Listener;
  tally: Tally;
  /** Numbers of acknowledged posts at which this listener is disconnected, the next one last. */
  cutsLeft: number[];
}

interface Audience {
  seats: Seat[];
  /** Takes the number of acknowledged posts, which decides when listeners are disconnected. */
  advance(acknowledged: number): void;
  untilAllHeard(messages: number): Promise<void>;
  leave(): void;
}

export async function seatAudience(
  people: Person[],
  posts: number,
  cut: boolean,
  timing: Timing,
): Promise<Audience> {
  const seats = people.map((person) => {
    const tally = new Tally();
    const listener = new Listener(person, (message, how) => {
      if (tally.add(message, how)) timing.heard(message.id, how, performance.now());
    });
    return { listener, tally, cutsLeft: cut ? randomMoments(posts) : [] };
  });
  await Promise.all(seats.map((seat) => seat.listener.start()));
  return {
    seats,
    advance: (acknowledged) => {
      for (const seat of seats) cutWhenDue(seat, acknowledged);
    },
    untilAllHeard: (messages) => untilAllHeard(seats, messages, timing),
    leave: () => {
      for (const seat of seats) seat.listener.stop();
    },
  };
}

/**
 * Returns one moment in each part of the run, in posts, so that a fast run is cut as often as a slow one. The next
 * moment comes last.
 */
function randomMoments(posts: number): number[] {
  const parts = Array.from({ length: CUTS_EACH }, (_, part) => (part + Math.random()) / CUTS_EACH);
  return parts.map((share) => Math.ceil(share * posts * 0.97)).reverse();
}

function cutWhenDue(seat: Seat, acknowledged: number): void {
  const due = seat.cutsLeft.at(-1);
  // A listener that is still disconnected is cut as soon as it is back.
  if (due === undefined || due > acknowledged || !seat.listener.listening) return;
  seat.cutsLeft.pop();
  seat.listener.cut(Math.random() * LONGEST_AWAY_MS);
}

async function untilAllHeard(seats: Seat[], messages: number, timing: Timing): Promise<void> {
  const done = () => seats.every(({ tally, listener }) => tally.heard >= messages && listener.listening);
  for (let since = performance.now(), heard = -1; !done(); await Bun.sleep(5)) {
    if (timing.deliveries !== heard) since = performance.now();
    else if (performance.now() - since > SILENCE_MS) return;
    heard = timing.deliveries;
  }
}
