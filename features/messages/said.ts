// Asks how much was said after a reader's place, for features that count what is unread.
import { question } from "../../server/house/question.ts";

/** A reader's place in a channel; `silent`: a JSON array of the authors whose messages do not count. */
export interface SaidAfter {
  reader_id: string;
  channel_id: string;
  after: string;
  silent: string;
}

type Count = Pick<SaidAfter, "reader_id" | "channel_id"> & { count: number };

/** Asks how many messages others wrote after each reader's place, at most 100. */
export const saidAfter = question<[asked: readonly SaidAfter[]], readonly Count[]>("messages.saidAfter");
