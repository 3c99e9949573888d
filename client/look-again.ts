// Fetches messages again whose reactions may be counted wrong: an event says that one came or went, not how many there are.
import { getMessage } from "../features/messages/calls.ts";
import type { Message } from "../features/messages/contract.ts";
import type { Chat } from "./chat.ts";
import { withWindow } from "./copy.ts";
import { Heard } from "./heard.ts";
import { listPage } from "./message-page.ts";
import { withEach } from "./window.ts";

/** A message whose reactions change all the time is fetched again so often, and then stays as it is. */
const mostLooks = 3;
/** For more messages than that their page is fetched once instead. */
const mostAlone = 5;
/** A network that fell silent answers nothing for minutes; after so many milliseconds a call is given up. */
const answerMs = 30_000;

/** Fetches some messages of a page again, and once more those whose reactions change meanwhile. */
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
    const found = await fetchedAgain(channelId, messages, [...new Set(owed)]);
    chat.catchUp();
    // After a fresh READY the views fetch everything anew.
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
    // After another cut the answers may be missing, or hold changes that the next replay tells of.
    owed = await heard.inDoubt(
      messages,
      chat.state.connection.is === "live" ? meanwhile : [...owed, ...meanwhile],
    );
    heard.end();
    if (generation !== chat.state.generation) return;
  }
}

/** Leaves out messages that are gone or cannot be fetched. */
async function fetchedAgain(
  channelId: string,
  messages: readonly Message[],
  ids: readonly string[],
): Promise<readonly Message[]> {
  const signal = AbortSignal.timeout(answerMs);
  if (ids.length > mostAlone) {
    const around = messages[Math.floor(messages.length / 2)]?.id ?? "";
    const page = await listPage(channelId, { around }, signal).catch(() => undefined);
    return page?.messages ?? [];
  }
  const asked = ids.map((messageID) => getMessage({ params: { messageID } }, signal).catch(() => []));
  return (await Promise.all(asked)).flat();
}
