// The room of a conversation, what stands there while none is open, and what remains of one that is gone.
import { SquarePen } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useRef } from "react";
import { CallError } from "../../client/call.ts";
import { getChannel } from "../../features/channels/calls.ts";
import { conversationHead } from "../../features/channels/view/slots.ts";
import { withConversation } from "../../features/direct/view/fetched.ts";
import { openNewConversation } from "../../features/direct/view/opening.tsx";
import { AroundWriter, Beginning, ConversationHead } from "../../features/direct/view/room-parts.tsx";
import { inConversationHead } from "../../features/direct/view/slots.ts";
import { useTitle } from "../../features/instance/view/title.ts";
import { LeftBehind } from "../../features/messages/view/drafting/left-behind.tsx";
import { Room } from "../../features/messages/view/room.tsx";
import { aboveMessages, aroundWriter, conversationBeginning } from "../../features/messages/view/slots.ts";
import { useFrameWidth } from "../ui/browser/frame-width.ts";
import { Button } from "../ui/controls/button.tsx";
import { PageTitle } from "../ui/controls/page-title.tsx";
import { Region } from "../ui/controls/region.tsx";
import { later } from "../ui/loading/later.tsx";
import { fill } from "../ui/loading/slots.ts";
import { Link } from "../ui/navigation/link.tsx";
import { paths } from "../ui/navigation/paths.ts";
import { type Fetched, Loaded, useFetched } from "../ui/session/fetched.tsx";
import { useChat, useCopy, useHouse } from "../ui/session/house.tsx";
import { useWords } from "../ui/words/words.ts";
import styles from "./nothing.module.css";
import { keepPlace } from "./places.ts";

const CallButton = later(
  async () => (await import("../../features/ringing/view/call-button.tsx")).CallButton,
);
const ConversationCall = later(
  async () => (await import("../../features/ringing/view/conversation-call.tsx")).ConversationCall,
);

// Filled with the first conversation: its room has its head and its beginning from its first drawing on.
fill(conversationHead, ConversationHead);
fill(conversationBeginning, Beginning);
fill(aroundWriter, AroundWriter);
fill(inConversationHead, CallButton);
fill(aboveMessages, ConversationCall);

export function DirectRoom({ channelId }: { channelId: string | undefined }) {
  return channelId === undefined ? <NoneOpen /> : <Conversation key={channelId} id={channelId} />;
}

function Conversation({ id }: { id: string }) {
  const { direct: words } = useWords();
  const conversation = useCopy(({ direct }) => direct.get(id));
  const fetching = useFetching(id);
  const last = useRef<string>(undefined);
  last.current = conversation?.name ?? last.current;
  const isThere = conversation !== undefined;
  useEffect(() => {
    if (isThere) keepPlace(null, id);
  }, [isThere, id]);
  if (conversation)
    return (
      <Region>
        <Room channel={conversation} />
      </Region>
    );
  const { error } = fetching;
  if (error && !error.passes) return <Gone id={id} name={last.current} />;
  return (
    <main
      id="messages"
      data-region="messages"
      className={styles.nothing}
      aria-label={words.title}
      aria-busy={!error}
    >
      <PageTitle>{words.title}</PageTitle>
      <Loaded of={fetching}>{() => null}</Loaded>
    </main>
  );
}

/**
 * Fetches a conversation that is not in the list: it is hidden, or older than those in READY. The error does not pass
 * if its reader has none at this address.
 */
function useFetching(id: string): Fetched<void> {
  const { chat } = useHouse();
  const isListed = useCopy(({ direct }) => direct.get(id)?.isListed === true);
  const isLive = useChat(({ connection }) => connection.is === "live");
  const load = useCallback(
    async (signal: AbortSignal) => {
      if (isListed) return;
      const found = await getChannel({ params: { id } }, signal);
      if (found.server_id !== null) throw new CallError(404, {});
      chat.change((copy) => withConversation(copy, found));
    },
    [chat, id, isListed],
  );
  const fetching = useFetched(load);
  const askAgain = useEffectEvent(() => {
    if (fetching.error) fetching.reload();
  });
  useEffect(() => {
    if (isLive) askAgain();
  }, [isLive]);
  return fetching;
}

function Gone({ id, name }: { id: string; name: string | undefined }) {
  const { direct: words } = useWords();
  const title = name === undefined ? words.nothingHere : words.isGone(name);
  useTitle(title);
  return (
    <main id="messages" data-region="messages" className={styles.nothing} aria-label={title}>
      <PageTitle>{words.title}</PageTitle>
      <h2>{title}</h2>
      <p role={name === undefined ? undefined : "status"}>
        {name === undefined ? words.nothingHereLead : words.isGoneLead}
      </p>
      <LeftBehind channelId={id} />
      <Link href={paths.server(null)}>{words.toConversations}</Link>
    </main>
  );
}

function NoneOpen() {
  const { direct: words } = useWords();
  const isNarrow = useFrameWidth() === "narrow";
  const hasSome = useCopy(({ direct }) => [...direct.values()].some(({ isListed }) => isListed));
  useTitle(words.title);
  // On a phone the first pane says it; a page without a room would seem to be on its way still.
  if (isNarrow) return <main aria-label={words.title} />;
  return (
    <main className={styles.nothing} aria-label={words.title}>
      <h2>{hasSome ? words.choose : words.none}</h2>
      <p>{hasSome ? words.chooseLead : words.noneLead}</p>
      <Button kind="primary" icon={SquarePen} onClick={openNewConversation}>
        {words.create}
      </Button>
    </main>
  );
}
