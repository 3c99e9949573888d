// The shape of an attack: its name, its scene, and the function that runs until its time is over.

import type { Filler } from "../filler.ts";
import type { AttackedHearth, Target } from "../load/jobs.ts";
import type { Stage } from "../people.ts";

export interface Attack<Facts> {
  /** The name that `--only-attack` takes. */
  name: string;
  /** The attack in the table, in one line. */
  what: string;
  scene: Scene<Facts>;
  /** The server starts during the attack, so the bystanders begin at once. */
  atStart?: boolean;
  /** Posts wait for a slow disk or database: only pages and /healthz have a target. */
  postsMayWait?: boolean;
  /** Misbehaving test doubles around the server: hosts named by people, or backends named by the operator. */
  meets?: "hosts" | "backends";
  /** The least duration of the attack in seconds, so that the longest timeout on a double expires within it. */
  leastSeconds?: number;
  /** True if the attacked checkout and this machine have what the attack needs. */
  isPossible?(checkout: string): boolean;
  /** Runs in the load generator. Prepares itself, waits for `go`, ends soon after `over`. */
  run(attacker: Attacker<Facts>): Promise<void>;
}

/** The tools of an attack while it runs. */
export interface Attacker<Facts> {
  target: Target;
  origin: string;
  hearth: AttackedHearth;
  /** People with accounts, and their server; the first of them owns it. */
  stage: Stage;
  facts: Facts;
  /** Returns `count`; in a smoke run a fraction of it, at least one. */
  some(count: number): number;
  made(): void;
  answered(how: string): void;
  go(): Promise<void>;
  isOver(): boolean;
  over: Promise<void>;
}

/** A data folder prepared for attacks, made once and copied for each of them. */
export interface Scene<Facts> {
  name: string;
  /** Prepares the scene over HTTP, without limits. */
  prepare(stage: Stage, some: (count: number) => number): Promise<Facts>;
  /** Writes rows that would take hours over HTTP, while no server runs. */
  fill?(filler: Filler, stage: Stage, facts: Facts, some: (count: number) => number): void;
}
