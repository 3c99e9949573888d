// The measured figures that capacity is reckoned with, as `npm run bench -- capacity` keeps them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LargestFigures } from "./largest.ts";

/** Of one machine. Processor times are in microseconds, of one of its cores. */
export interface Coefficients extends LargestFigures {
  machine: string;
  /** Memory of a process without sockets, and of each socket. */
  processMib: number;
  socketKib: number;
  /** A post on its process, with ten sockets that hear it, and what PostgreSQL does for it. */
  postUs: number;
  postPostgresUs: number;
  /** Bytes on the disk of PostgreSQL: a message with its indexes, its event in the log, and what is written ahead. */
  messageBytes: number;
  logBytes: number;
  walBytes: number;
  /** An event for one further socket. */
  deliveryUs: number;
  /** An event that comes in from another process, there and in Redis. */
  crossingUs: number;
  crossingRedisUs: number;
  /** Signing in, up to READY, in ten servers of twenty channels. */
  readyUs: number;
  readyPostgresUs: number;
  readyKib: number;
  /** The newest page of a channel. */
  pageUs: number;
}

export const coefficientsFile = join(import.meta.dir, "coefficients.json");

export function readCoefficients(): Coefficients {
  return JSON.parse(readFileSync(coefficientsFile, "utf8")) as Coefficients;
}
