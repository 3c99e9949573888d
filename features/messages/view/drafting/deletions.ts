// Finds out that messages were deleted, also those that no list holds, and also where the event was missed.
import { longestMs } from "../../../../client/back-off.ts";
import { CallError } from "../../../../client/call.ts";
import type { Chat } from "../../../../client/chat.ts";
import { type Later, later as laterByClock } from "../../../../client/later.ts";
import { ready } from "../../../../client/ready.ts";
import { is } from "../../../../protocol/event.ts";
import type { ServerFrame } from "../../../../protocol/frames.ts";
import { channelDeleted } from "../../../channels/events.ts";
import { endsMembership } from "../../../members/state.ts";
import { serverDeleted } from "../../../servers/events.ts";
import { getMessage } from "../../calls.ts";
import { messageDeleted } from "../../events.ts";

interface Watched {
  /** The ids of the messages, as they are at the moment. */
  ids(): readonly string[];
  /** May be told of a message twice. */
  gone(id: string): void;
}

/** Throws a CallError that passes where the server has to be asked once more. */
type IsGone = (id: string) => Promise<boolean>;

export interface Look {
  isGone?: IsGone;
  later?: Later;
  /** Asks the server at once: messages may have been deleted before the call. */
  atOnce?: boolean;
}

/**
 * Tells which of these messages are gone. The server is asked where no event says so: after a READY, which replaces what
 * was missed, and when a channel, a server or a membership takes its messages along. Returns a function that stops
 * listening; a look that is under way then ends at its next pause.
 */
export function watchDeletions(
  chat: Pick<Chat, "listen" | "state">,
  watched: Watched,
  { isGone = isGoneAtServer, later = laterByClock, atOnce = false }: Look = {},
): () => void {
  const waiting = new Waiting(later);
  const look = oneAtATime(watched, isGone, waiting);
  if (atOnce) look();
  const stop = chat.listen((frame) => {
    if (is(frame, messageDeleted) && watched.ids().includes(frame.data.id)) watched.gone(frame.data.id);
    if (mayHaveTaken(frame, chat.state.copy?.user.id)) look();
  });
  return () => {
    stop();
    waiting.end();
  };
}

/**
 * One look is under way at a time: events that come meanwhile, fifty channels that go at once, make one more. Messages
 * that the server refused to tell of are asked about again after a pause: a look that ended there would leave them until
 * the next READY, which may be days away.
 */
function oneAtATime(watched: Watched, isGone: IsGone, waiting: Waiting): () => void {
  let [isDue, isUnderWay] = [false, false];
  const run = async () => {
    isUnderWay = true;
    try {
      let left: readonly string[] = [];
      while (isDue || left.length > 0) {
        const ids = watched.ids();
        const round = isDue ? ids : left.filter((id) => ids.includes(id));
        isDue = false;
        const { unanswered, pauseMs } = await lookFor(round, watched, isGone);
        left = unanswered;
        if (left.length > 0) await waiting.pause(pauseMs);
      }
    } finally {
      isUnderWay = false;
    }
  };
  return () => {
    isDue = true;
    if (!isUnderWay) void run();
  };
}

/** Returns the ids that got no answer, those that were refused at the end, and how long to wait before the next try. */
async function lookFor(ids: readonly string[], { gone }: Watched, isGone: IsGone) {
  const refused: string[] = [];
  for (const [index, id] of ids.entries()) {
    try {
      if (await isGone(id)) gone(id);
    } catch (error) {
      const { status, retryAfter } = CallError.from(error);
      refused.push(id);
      // A 500 concerns this one message; any other refusal, and a server out of reach, concerns all of them.
      if (status === 500 && !retryAfter) continue;
      const pauseMs = Math.min(retryAfter ? retryAfter * 1000 : longestMs, longestWaitMs);
      return { unanswered: [...ids.slice(index + 1), ...refused], pauseMs };
    }
  }
  return { unanswered: refused, pauseMs: longestMs };
}

/** The longest pause in milliseconds, whatever a server or a proxy says. */
const longestWaitMs = 600_000;

/** The pauses between two tries. After `end` none of them resolves. */
class Waiting {
  readonly #later: Later;
  #cancel = () => {};
  #hasEnded = false;

  constructor(later: Later) {
    this.#later = later;
  }

  pause(ms: number): Promise<void> {
    return new Promise((resume) => {
      if (!this.#hasEnded) this.#cancel = this.#later(ms, resume);
    });
  }

  end(): void {
    this.#hasEnded = true;
    this.#cancel();
  }
}

/** The end of the person's own membership stands for that of the server, of which they hear nothing more. */
function mayHaveTaken(frame: ServerFrame, userId = ""): boolean {
  const isEnd = is(frame, channelDeleted) || is(frame, serverDeleted) || endsMembership(userId, frame);
  return isEnd || is(frame, ready);
}

/**
 * A message that may not be seen any more is gone as well: the server does not tell one from the other. Throws the
 * CallError where the same call may succeed later.
 */
export async function isGoneAtServer(id: string): Promise<boolean> {
  try {
    await getMessage({ params: { messageID: id } });
    return false;
  } catch (error) {
    const refusal = CallError.from(error);
    if (refusal.passes) throw refusal;
    // Not by the status: a proxy in between may say 404 of a server that is away.
    return refusal.code === "not_found";
  }
}
