// The other processes that work on the same database, as the house deals with them; server/processes/ implements it.
import type { LoggedEvent } from "../bus/bus.ts";
import type { Db } from "../database/database.ts";
import type { Job } from "./feature.ts";
import type { Kind, ShortLived } from "./short-lived.ts";
import { MemoryShortLived } from "./short-lived-memory.ts";
import type { UnitOfWork } from "./unit.ts";

/** `connections.ts` has a second interface, for the sockets that people have at other processes. */
export interface OtherProcesses {
  /**
   * Leaves notices of these units for the other processes, in the transaction `db` that commits them.
   *
   * - **Loss**: none. A notice is there exactly if the commit is, and every process hears it once. A process that did
   *   not read for minutes, or is thousands of notices behind, starts over instead.
   * - **Order**: none between commits. Only the numbers of events tell which came first.
   * - **Lateness**: less than a second, where the bus does not carry the items sooner.
   */
  leaveNotices(db: Db, units: readonly UnitOfWork[], logged: readonly LoggedEvent[]): Promise<void>;

  /**
   * Runs work that one process at a time should do, and returns undefined where another one does it.
   *
   * - **Order**: the claim is kept while the work runs. A process that stands still for longer than its lease may find
   *   that another one has begun the same work: it must be safe to run twice, through row locks.
   * - **Loss, lateness**: the claims of a dead process expire after ten seconds.
   */
  claim<T>(name: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Gives the claims up, so that others can continue at once. */
  release(): Promise<void>;

  /** Returns values that all processes see: a put that has resolved is seen by every later call anywhere. */
  shortLived<V>(kind: Kind): ShortLived<V>;

  /** Recurring work that deletes what the processes left for each other. */
  readonly jobs: readonly Job[];
}

/** For a process that has the database to itself: its own memory is complete, and faster than any database. */
export const noOthers: OtherProcesses = {
  leaveNotices: async () => {},
  claim: (_, work) => work(),
  release: async () => {},
  shortLived: (kind) => new MemoryShortLived(kind),
  jobs: [],
};
