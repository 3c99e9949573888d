// What an attack is: who does what, in which scene, until its time is over.

import type { Filler } from "../filler.ts";
import type { AttackedHearth, Target } from "../load/jobs.ts";
import type { Stage } from "../people.ts";

export interface Attack<Facts> {
  /** What `--only-attack` calls it. */
  name: string;
  /** A line of the table. */
  what: string;
  scene: Scene<Facts>;
  /** The server's own start is part of it: whoever lives there comes at once. */
  atStart?: boolean;
  /** Posts wait for something that nobody can make faster: only pages and /healthz have a target. */
  postsMayWait?: boolean;
  /** Whether there is what it needs, where the attacked Hearth is. */
  isPossible?(checkout: string): boolean;
  /** Runs in the load generator. Prepares itself, waits for `go`, ends soon after `over`. */
  run(attacker: Attacker<Facts>): Promise<void>;
}

/** What an attack has in hand while it runs. */
export interface Attacker<Facts> {
  target: Target;
  origin: string;
  hearth: AttackedHearth;
  /** People who are no strangers, and a server of theirs: the first one owns it. */
  stage: Stage;
  facts: Facts;
  /** This many; in a smoke run some of them, at least one. */
  some(count: number): number;
  made(): void;
  answered(how: string): void;
  go(): Promise<void>;
  isOver(): boolean;
  over: Promise<void>;
}

/** A data folder in which everything is as the attack needs it, made once and copied for each attack. */
export interface Scene<Facts> {
  name: string;
  /** Through the public door, without limits. */
  prepare(stage: Stage, some: (count: number) => number): Promise<Facts>;
  /** Rows that would take hours through the door, while no server runs. */
  fill?(filler: Filler, stage: Stage, facts: Facts, some: (count: number) => number): void;
}
