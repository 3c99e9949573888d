// Posts the script at full speed: many lines at once, and each person's own lines one after another.

import { inFlight } from "../client/in-flight.ts";
import { type Person, say } from "../client/person.ts";
import { patiently } from "../client/request.ts";
import type { Room } from "../client/room.ts";
import type { Message } from "../client/wire.ts";
import type { Post, Script } from "./script.ts";

export interface Speech {
  /** The content of every acknowledged message, by id. */
  acknowledged: Map<string, string>;
  failures: string[];
  mentions: { meant: number; understood: number };
}

export async function speak(
  script: Script,
  room: Room,
  speech: Speech,
  atOnce: number,
  onAcknowledged: (message: Message, sentAt: number) => void,
): Promise<void> {
  const run = crypto.randomUUID();
  const lastOf = new Map<string, Promise<void>>();
  await inFlight(script.posts, atOnce, (post, index) => {
    const before = lastOf.get(post.speaker);
    const posting = postAfter(before, post, `${run}-${index}`);
    lastOf.set(post.speaker, posting);
    return posting;
  });

  async function postAfter(before: Promise<void> | undefined, post: Post, nonce: string): Promise<void> {
    await before;
    const speaker = person(room, post.speaker);
    const channelId = room.channels.get(post.log) as string;
    try {
      const sentAt = performance.now();
      const message = await patiently(() => say(speaker, channelId, post.content, nonce));
      speech.acknowledged.set(message.id, post.content);
      checkMention(post, message);
      onAcknowledged(message, sentAt);
    } catch (error) {
      speech.failures.push(`${post.log}, ${post.speaker}: ${(error as Error).message}`);
    }
  }

  function checkMention(post: Post, message: Message): void {
    if (post.mentions === undefined) return;
    speech.mentions.meant += 1;
    const mentioned = person(room, post.mentions).id;
    if (message.mentions.user_ids.includes(mentioned)) speech.mentions.understood += 1;
  }
}

function person(room: Room, username: string): Person {
  const found = room.members.get(username);
  if (found === undefined) throw new Error(`${username} never registered.`);
  return found;
}
