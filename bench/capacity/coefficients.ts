// The measured figures of the capacity model, as `npm run bench -- capacity` stores them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LargestFigures } from "./largest.ts";

/** Figures of one machine. Processor times are in microseconds of one of its cores. */
export interface Coefficients extends LargestFigures {
  machine: string;
  /** Memory of a process without sockets, and of each socket. */
  processMib: number;
  socketKib: number;
  /** Processor time of a post: in its process, with ten listening sockets, and in PostgreSQL. */
  postUs: number;
  postPostgresUs: number;
  /** Bytes on the disk of PostgreSQL: a message with its indexes, its event in the log, and its write-ahead log. */
  messageBytes: number;
  logBytes: number;
  walBytes: number;
  /** Delivery of an event to one further socket. */
  deliveryUs: number;
  /** An event received from another process: in the receiving process, and in Redis. */
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
