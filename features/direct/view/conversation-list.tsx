// The sidebar at the direct conversations: their head, and the list with the newest talk first.
import { SquarePen } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useRef, useState } from "react";
import { limits } from "../../../protocol/limits.ts";
import { useFrameWidth } from "../../../web/ui/browser/frame-width.ts";
import { Button, IconButton } from "../../../web/ui/controls/button.tsx";
import nav from "../../../web/ui/controls/nav-row.module.css";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useChat, useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import above from "../../servers/view/server-head.module.css";
import { listConversations } from "../calls.ts";
import type { Conversations, OwnConversation } from "../state.ts";
import styles from "./conversation-list.module.css";
import { ConversationRow } from "./conversation-row.tsx";
import { withConversation } from "./fetched.ts";
import { listedIn } from "./listed.ts";
import { openNewConversation } from "./opening.tsx";

interface Props {
  currentId: string | undefined;
  /** True where nothing is shown beside it: the list is the main content then. */
  isAlone: boolean;
  /** The link to the mentions. */
  children: ReactNode;
}

export function DirectSide({ currentId, isAlone, children }: Props) {
  const { direct: words } = useWords();
  return (
    <>
      <header className={above.place}>
        <h1>{words.title}</h1>
        <IconButton label={words.create} icon={SquarePen} onClick={openNewConversation} />
      </header>
      <div role={isAlone ? "main" : undefined} className={styles.side}>
        <div className={nav.spine}>
          {children}
          <ConversationList currentId={currentId} />
        </div>
      </div>
    </>
  );
}

/** The number of rows that are rendered first, more than most windows have room for; the others follow at once. */
const drawnAtFirst = 40;

function ConversationList({ currentId }: Pick<Props, "currentId">) {
  const { direct: words } = useWords();
  const conversations = useCopy(({ direct }) => direct);
  const generation = useChat((state) => state.generation);
  const [isHeld, setHeld] = useState(false);
  const listed = useSteady(conversations, isHeld);
  const isWhole = useDeferredValue(true, false);
  return (
    <nav
      aria-label={words.conversations}
      data-region="channels"
      onKeyDown={walk}
      onPointerEnter={({ pointerType }) => setHeld(pointerType === "mouse")}
      onPointerLeave={() => setHeld(false)}
    >
      <h2 className={styles.title}>{words.conversations}</h2>
      {listed.length === 0 && <None />}
      <ul>
        {(isWhole ? listed : listed.slice(0, drawnAtFirst)).map((each) => (
          <ConversationRow key={each.id} conversation={each} isHere={each.id === currentId} />
        ))}
      </ul>
      {/* A fresh READY drops the pages that were fetched. */}
      {listed.length >= limits.direct_in_ready_max && (
        <Older key={generation} conversations={conversations} />
      )}
    </nav>
  );
}

/** READY has the newest conversations; the others are fetched page by page. */
function Older({ conversations }: { conversations: Conversations }) {
  const { parts } = useWords();
  const { chat } = useHouse();
  const act = useAct();
  const [isWhole, setWhole] = useState(false);
  if (isWhole) return null;
  async function ask() {
    const oldest = listedIn(conversations).at(-1);
    const query = { limit: String(limits.page_max), before: oldest?.last_message_id ?? oldest?.id ?? "" };
    const { items, hasMore } = await listConversations({ query });
    chat.change((copy) => items.reduce((now, each) => withConversation(now, each, true), copy));
    setWhole(!hasMore);
  }
  return (
    <div className={styles.none}>
      <Button kind="quiet" isSmall isBusy={act.isBusy} onClick={() => void act.run(ask)}>
        {parts.more}
      </Button>
      <Refused by={act.error} />
    </div>
  );
}

/** On a wide frame the room says more. */
function None() {
  const { direct: words } = useWords();
  const isNarrow = useFrameWidth() === "narrow";
  return (
    <div className={styles.none}>
      <p>{words.none}</p>
      {isNarrow && <p>{words.noneLead}</p>}
      {isNarrow && (
        <Button kind="primary" icon={SquarePen} onClick={openNewConversation}>
          {words.create}
        </Button>
      )}
    </div>
  );
}

/** Returns the list in its order; while it is held, no row that is in it already moves up below the pointer. */
function useSteady(conversations: Conversations, isHeld: boolean): readonly OwnConversation[] {
  const order = useRef<readonly string[]>([]);
  const listed = listedIn(conversations);
  if (isHeld) {
    const places = new Map(order.current.map((id, i) => [id, i]));
    const placeOf = ({ id }: OwnConversation) => places.get(id) ?? -1;
    listed.sort((one, other) => placeOf(one) - placeOf(other));
  }
  order.current = listed.map(({ id }) => id);
  return listed;
}

/** Moves the focus by arrow keys; the tab key stops at each link as well. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("a[href]")];
  const at = stops.findIndex((stop) => stop.matches(":focus"));
  if (at < 0) return;
  event.preventDefault();
  stops[at + step]?.focus();
}
