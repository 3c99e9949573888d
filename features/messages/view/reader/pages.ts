// The pages of reader mode: one at a time, kept up to date by events.
import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { CallError } from "../../../../client/call.ts";
import { Heard } from "../../../../client/heard.ts";
import { is } from "../../../../protocol/event.ts";
import { useChat, useHouse } from "../../../../web/ui/session/house.tsx";
import { listMessages } from "../../calls.ts";
import type { Message } from "../../contract.ts";
import { messageCreated } from "../../events.ts";
import { messagesAfter } from "../../state.ts";

const pageLength = 100;

/** The position of a page: the newest one, or the one before or after a message. */
type Place = { before?: string; after?: string };

interface Page {
  /** Newest first, as the server lists them. */
  messages: readonly Message[];
  hasOlder: boolean;
  isNewest: boolean;
  /** Identifies the position; each page has its own. */
  place: string;
}

export interface Pages {
  page: Page | undefined;
  isBusy: boolean;
  error: CallError | undefined;
  /** The number of messages that arrived while an older page is open. */
  waiting: number;
  older(): void;
  newer(): void;
  newest(): void;
}

export function useHistoryPages(channelId: string): Pages {
  const { chat } = useHouse();
  const generation = useChat((state) => state.generation);
  const [page, setPage] = useState<Page>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const [waiting, setWaiting] = useState(0);
  const shown = useRef(page);
  shown.current = page;

  const go = useCallback(
    async (place: Place) => {
      setBusy(true);
      setError(undefined);
      const heard = new Heard(chat, channelId);
      try {
        const { items, hasMore } = await fetchPage(channelId, place);
        chat.catchUp();
        const isNewest = place.before === undefined && !(place.after && hasMore);
        const hasOlder = place.after !== undefined || hasMore;
        const messages = heard.over(items, isNewest);
        setPage({ messages, hasOlder, isNewest, place: JSON.stringify(place) });
        if (isNewest) setWaiting(0);
      } catch (failure) {
        setError(CallError.from(failure));
      } finally {
        heard.end();
        setBusy(false);
      }
    },
    [chat, channelId],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a long sleep the newest page may miss something.
  useEffect(() => {
    if (!shown.current || shown.current.isNewest) void go({});
  }, [go, generation]);

  useNews(channelId, { shown, setPage, setWaiting });

  return {
    page,
    isBusy,
    error,
    waiting,
    older: () => void go({ before: shown.current?.messages.at(-1)?.id ?? "" }),
    newer: () => void go({ after: shown.current?.messages[0]?.id ?? "" }),
    newest: () => void go({}),
  };
}

interface Shown {
  shown: RefObject<Page | undefined>;
  setPage: Dispatch<SetStateAction<Page | undefined>>;
  setWaiting: Dispatch<SetStateAction<number>>;
}

/** Events update the open page; new messages that are not on it are counted. */
function useNews(channelId: string, { shown, setPage, setWaiting }: Shown): void {
  const { chat } = useHouse();
  useEffect(
    () =>
      chat.listen((frame) => {
        const isNew = is(frame, messageCreated) && frame.data.channel_id === channelId;
        if (isNew && !shown.current?.isNewest) return setWaiting((count) => count + 1);
        setPage((now) => now && { ...now, messages: messagesAfter(now.messages, channelId, frame) });
      }),
    [chat, channelId, shown, setPage, setWaiting],
  );
}

function fetchPage(channelId: string, place: Place) {
  const query = { ...place, limit: String(pageLength) };
  return listMessages({ params: { channelID: channelId }, query });
}
