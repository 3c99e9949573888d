// Writers who never give up: they retry a post without an answer, with the same nonce, until it is acknowledged.

import { ask, type Person } from "../../tools/client/person.ts";
import { Refused } from "../../tools/client/request.ts";
import type { Message } from "../../tools/client/wire.ts";
import { chanceFor } from "../house/machine/chance.ts";

const chance = chanceFor("writers");
// Long enough apart that kills fall between commits as well as into them.
const LONGEST_PAUSE_MS = 4;
const AGAIN_AFTER_MS = 10;
// A known nonce is answered with 200, a new one with 201.
const ALREADY_THERE = 200;

export interface Said {
  nonce: string;
  author: string;
  channel: string;
  content: string;
}

interface Writers {
  /** Acknowledged messages by id. */
  acknowledged: Map<string, Said>;
  /** Number of posts that a kill left without an answer. */
  interrupted: number;
  /** Number of those that turned out to be stored: only the answer was lost. */
  keptUnanswered: number;
  /** Resolves once every pending post is acknowledged. */
  stop(): Promise<void>;
  /** Cleans up after a failed test: no further retries. */
  giveUp(): void;
}

/** `words`: the text of every message, after its number. */
export function startWriters(people: Person[], channels: string[], words = "are you there?"): Writers {
  let stopping = false;
  let givenUp = false;
  const writers: Writers = { acknowledged: new Map(), interrupted: 0, keptUnanswered: 0, stop, giveUp };
  const writing = Promise.all(people.map(write));
  // stop() throws the error; until then it must not count as unhandled.
  writing.catch(() => {});

  async function stop(): Promise<void> {
    stopping = true;
    await writing;
  }

  function giveUp(): void {
    stopping = true;
    givenUp = true;
  }

  async function write(person: Person): Promise<void> {
    for (let number = 1; !stopping; number++) {
      const channel = channels[number % channels.length] as string;
      const nonce = `${person.username}-${number}`;
      await untilAcknowledged(person, {
        nonce,
        author: person.id,
        channel,
        content: `${nonce}: ${words}`,
      });
      await Bun.sleep(chance() * LONGEST_PAUSE_MS);
    }
  }

  async function untilAcknowledged(person: Person, said: Said): Promise<void> {
    const { content, nonce } = said;
    for (let attempt = 1; ; attempt++) {
      try {
        const { status, body } = await ask(person, "POST", `/channels/${said.channel}/messages`, {
          content,
          nonce,
        });
        const { id } = body as Message;
        if (writers.acknowledged.has(id)) throw new Error(`${nonce} was given the id of another message.`);
        writers.acknowledged.set(id, said);
        if (status === ALREADY_THERE) writers.keptUnanswered += 1;
        return;
      } catch (error) {
        const isLost = isLostConnection(error);
        if (givenUp || !(isLost || isToldToComeAgain(error))) throw error;
        if (isLost && attempt === 1) writers.interrupted += 1;
        await Bun.sleep(AGAIN_AFTER_MS);
      }
    }
  }

  return writers;
}

/** A 503 from a disk that hangs for some seconds, as on a busy machine now and then. */
function isToldToComeAgain(error: unknown): boolean {
  return error instanceof Refused && error.status === 503 && error.retryAfterSeconds !== undefined;
}

function isLostConnection(error: unknown): boolean {
  return !(error instanceof Refused) && error instanceof Error && "code" in error;
}
