// Reads the messages of a channel after a point, the oldest page first.

import { ask, type Person } from "./person.ts";
import type { Message } from "./wire.ts";

const PAGE = 100;

/** An id that sorts before every message. */
export const BEFORE_ALL = "00000000-0000-7000-8000-000000000000";

/** Pages of the messages that follow `afterId`; within a page the newest comes first, as the server sends it. */
export async function* pagesAfter(
  person: Person,
  channelId: string,
  afterId: string,
): AsyncGenerator<Message[]> {
  for (let cursor = afterId, more = true; more; ) {
    const answer = await ask(person, "GET", `/channels/${channelId}/messages?limit=${PAGE}&after=${cursor}`);
    const page = answer.body as Message[];
    more = answer.headers.get("x-has-more") === "true";
    const newest = page[0];
    if (newest === undefined) return;
    yield page;
    cursor = newest.id;
  }
}

/** A cursor some time before an id: the id's first 48 bits are its milliseconds. */
export function earlier(id: string, milliseconds: number): string {
  const moment = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const hex = Math.max(0, moment - milliseconds)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
