// Refetches messages with possibly wrong reaction counts: an event reports a change, but not the count.
import { getMessage } from "../features/messages/calls.ts";
import type { Message } from "../features/messages/contract.ts";
import { CallError } from "./call.ts";
import type { Chat } from "./chat.ts";
import { withWindow } from "./copy.ts";
import { Heard } from "./heard.ts";
import { listPage } from "./message-page.ts";
import { withEach } from "./window.ts";

/** The most attempts for a message whose reactions change all the time; after that it stays as it is. */
const mostLooks = 3;
/** For more messages than this their page is fetched once instead. */
const mostAlone = 5;
/** Timeout of a call, in milliseconds: a dead network does not answer for minutes. */
const answerMs = 30_000;

/** Refetches some messages of a page, and again those whose reactions change meanwhile. */
export async function lookAgain(
  chat: Chat,
  channelId: string,
  messages: readonly Message[],
  ids: readonly string[],
): Promise<void> {
  const { generation } = chat.state;
  let owed = ids;
  for (let looks = 0; looks < mostLooks && owed.length > 0; looks++) {
    const heard = new Heard(chat, channelId);
    const { found, lost } = await fetchedAgain(channelId, messages, [...new Set(owed)]);
    chat.catchUp();
    // After a fresh READY the views refetch everything.
    if (generation !== chat.state.generation) return heard.end();
    const meanwhile = heard.reacted(messages);
    const asked = found.filter(({ id }) => owed.includes(id) && !meanwhile.includes(id));
    const reactions = new Map(asked.map((each) => [each.id, each.reactions]));
    chat.change((copy) => {
      const window = copy.windows.get(channelId);
      if (!window) return copy;
      const after = (each: Message) => {
        const now = reactions.get(each.id);
        return now ? { ...each, reactions: now } : each;
      };
      return withWindow(copy, channelId, withEach(window, after));
    });
    // After another cut, responses may contain changes that the next replay reports.
    const inDoubt = await heard.inDoubt(
      messages,
      chat.state.connection.is === "live" ? meanwhile : [...owed, ...meanwhile],
    );
    owed = [...lost, ...inDoubt];
    heard.end();
    if (generation !== chat.state.generation) return;
  }
}

interface Fetched {
  /** Without messages that are deleted. */
  found: readonly Message[];
  /** The ids of those whose answers did not come: the connection may be live again by the time that this is known. */
  lost: readonly string[];
}

async function fetchedAgain(
  channelId: string,
  messages: readonly Message[],
  ids: readonly string[],
): Promise<Fetched> {
  const signal = AbortSignal.timeout(answerMs);
  const lost: string[] = [];
  const losing = (some: readonly string[]) => (error: unknown) => {
    if (!(error instanceof CallError) || error.passes) lost.push(...some);
    return [];
  };
  if (ids.length > mostAlone) {
    const around = messages[Math.floor(messages.length / 2)]?.id ?? "";
    const page = listPage(channelId, { around }, signal).then((page) => page.messages);
    return { found: await page.catch(losing(ids)), lost };
  }
  const asked = ids.map((messageID) =>
    getMessage({ params: { messageID } }, signal).catch(losing([messageID])),
  );
  return { found: (await Promise.all(asked)).flat(), lost };
}
