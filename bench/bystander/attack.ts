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
  /** Posts wait for a disk or a database that nobody can make faster: only pages and /healthz have a target. */
  postsMayWait?: boolean;
  /** Doubles around the server that mean ill: hosts that people name, or backends that the operator names. */
  meets?: "hosts" | "backends";
  /** The attack lasts at least so long, so that the longest wait for a double ends within it. */
  leastSeconds?: number;
  /** Whether the attacked checkout and this machine have what the attack needs. */
  isPossible?(checkout: string): boolean;
  /** Runs in the load generator. Prepares itself, waits for `go`, ends soon after `over`. */
  run(attacker: Attacker<Facts>): Promise<void>;
}

/** The tools of an attack while it runs. */
export interface Attacker<Facts> {
  target: Target;
  origin: string;
  hearth: AttackedHearth;
  /** People with accounts and a server of theirs, whose owner is the first of them. */
  stage: Stage;
  facts: Facts;
  /** This number of things; in a smoke run fewer, at least one. */
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
