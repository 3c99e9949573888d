// Detects deleted messages, including those in no list and those whose event was missed.
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
  /** The ids of the watched messages at this moment. */
  ids(): readonly string[];
  /** May be called twice for the same message. */
  gone(id: string): void;
}

/** Throws a CallError that passes if the server has to be asked again. */
type IsGone = (id: string) => Promise<boolean>;

export interface Look {
  isGone?: IsGone;
  later?: Later;
  /** Asks the server at once: messages may have been deleted before the call. */
  atOnce?: boolean;
}

/**
 * Reports which of these messages are deleted. The server is asked where no event says so: after a READY, which
 * replaces missed events, and when a channel, server or membership ends together with its messages. Returns a function
 * that stops watching; a check in progress then ends at its next pause.
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
 * Runs one check at a time: any number of events during it (fifty channels deleted at once, say) cause just one more.
 * Messages that the server refused to report on are asked about again after a pause: otherwise they would wait for the
 * next READY, which may be days away.
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

/** Returns the ids without an answer, refused ones last, and the delay before the next attempt. */
async function lookFor(ids: readonly string[], { gone }: Watched, isGone: IsGone) {
  const refused: string[] = [];
  for (const [index, id] of ids.entries()) {
    try {
      if (await isGone(id)) gone(id);
    } catch (error) {
      const { status, retryAfter } = CallError.from(error);
      refused.push(id);
      // A 500 concerns this one message; other refusals and an unreachable server concern all of them.
      if (status === 500 && !retryAfter) continue;
      const pauseMs = Math.min(retryAfter ? retryAfter * 1000 : longestMs, longestWaitMs);
      return { unanswered: [...ids.slice(index + 1), ...refused], pauseMs };
    }
  }
  return { unanswered: refused, pauseMs: longestMs };
}

/** The longest delay, in milliseconds, whatever a server or proxy asks for. */
const longestWaitMs = 600_000;

/** The delays between attempts. After `end` none of them resolves. */
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

/** The end of the person's own membership counts as that of the server: they get no more events of it. */
function mayHaveTaken(frame: ServerFrame, userId = ""): boolean {
  const isEnd = is(frame, channelDeleted) || is(frame, serverDeleted) || endsMembership(userId, frame);
  return isEnd || is(frame, ready);
}

/**
 * A message that the person may no longer see counts as deleted: the server does not distinguish the two. Throws the
 * CallError if the same call may succeed later.
 */
export async function isGoneAtServer(id: string): Promise<boolean> {
  try {
    await getMessage({ params: { messageID: id } });
    return false;
  } catch (error) {
    const refusal = CallError.from(error);
    if (refusal.passes) throw refusal;
    // Not the status: a proxy may answer 404 for a server that is down.
    return refusal.code === "not_found";
  }
}
