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
import { channelWindowAfter } from "../../../../client/copy.ts";
import { Heard } from "../../../../client/heard.ts";
import { listPage } from "../../../../client/message-page.ts";
import { shownOf } from "../../../../client/window.ts";
import { is } from "../../../../protocol/event.ts";
import type { ServerFrame } from "../../../../protocol/frames.ts";
import { useChat, useHouse } from "../../../../web/ui/session/house.tsx";
import { listMessages } from "../../calls.ts";
import type { Message } from "../../contract.ts";
import { messageCreated } from "../../events.ts";
import type { Wanted } from "../model/message-address.ts";

const pageLength = 100;
/** Timeout of the page around a message, in milliseconds. */
const answerMs = 30_000;

/** The position of a page: the newest one, or the one before, after or around a message. */
type Place = { before?: string; after?: string; around?: string };

export interface Page {
  /** Newest first, as the server lists them. */
  messages: readonly Message[];
  hasOlder: boolean;
  isNewest: boolean;
  /** Another object for each page that its reader turns to. */
  place: Place;
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

/** Begins with the page of the message in the address, and follows that to others. */
export function useHistoryPages(channelId: string, wanted: Wanted | undefined): Pages {
  const generation = useChat((state) => state.generation);
  const [waiting, setWaiting] = useState(0);
  const { page, setPage, isBusy, error, go, asked } = useFetching(channelId, setWaiting);
  const shown = useRef(page);
  shown.current = page;

  useEffect(() => {
    if (wanted) void go({ around: wanted.id });
    else if (!shown.current) void go({});
  }, [go, wanted]);

  const known = useRef(generation);
  useEffect(() => {
    const { current } = shown;
    if (generation !== known.current) {
      if (!current) void go(asked.current);
      // After a long sleep the newest page may miss something; its reader stays where they are on it.
      else if (current.isNewest) void go({}, current.place);
    }
    known.current = generation;
  }, [go, asked, generation]);

  useNews(channelId, { shown, setPage, setWaiting });

  return {
    page,
    isBusy,
    error,
    waiting,
    older: () => void go({ before: shown.current?.messages.at(-1)?.id ?? "" }),
    newer: () => void go({ after: shown.current?.messages[0]?.id ?? "" }),
    newest: useCallback(() => void go({}), [go]),
  };
}

/** Fetches one page after another: the one that was asked for last is shown. */
function useFetching(channelId: string, setWaiting: (count: number) => void) {
  const { chat } = useHouse();
  const [page, setPage] = useState<Page>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const asked = useRef<Place>({});
  const go = useCallback(
    async (place: Place, shownAs = place) => {
      asked.current = place;
      setBusy(true);
      setError(undefined);
      const heard = new Heard(chat, channelId);
      try {
        const { messages: listed, hasOlder, isNewest } = await fetchPage(channelId, place);
        chat.catchUp();
        if (asked.current !== place) return;
        setPage({ messages: heard.over(listed, isNewest), hasOlder, isNewest, place: shownAs });
        if (isNewest) setWaiting(0);
      } catch (failure) {
        const refusal = CallError.from(failure);
        if (asked.current !== place) return;
        // An address may end in anything: then the newest messages are shown.
        if (place.around && refusal.status === 400) await go({});
        else setError(refusal);
      } finally {
        heard.end();
        if (asked.current === place) setBusy(false);
      }
    },
    [chat, channelId, setWaiting],
  );
  return { page, setPage, isBusy, error, go, asked };
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
        const ownId = chat.state.copy?.user.id ?? "";
        setPage((now) => now && pageAfter(now, channelId, ownId, frame));
      }),
    [chat, channelId, shown, setPage, setWaiting],
  );
}

function pageAfter(page: Page, channelId: string, ownId: string, frame: ServerFrame): Page {
  const { messages, hasOlder, isNewest } = page;
  const span = { messages, hasOlder };
  const after = channelWindowAfter(isNewest ? { live: span } : { far: span }, channelId, ownId, frame);
  return shownOf(after) === span ? page : { ...page, ...shownOf(after) };
}

async function fetchPage(channelId: string, place: Place): Promise<Omit<Page, "place">> {
  if (place.around !== undefined) {
    const { reachesNewest, ...page } = await listPage(channelId, place, AbortSignal.timeout(answerMs));
    return { ...page, isNewest: reachesNewest };
  }
  const query = { ...place, limit: String(pageLength) };
  const { items, hasMore } = await listMessages({ params: { channelID: channelId }, query });
  const isNewest = place.before === undefined && !(place.after && hasMore);
  return { messages: items, hasOlder: place.after !== undefined || hasMore, isNewest };
}
