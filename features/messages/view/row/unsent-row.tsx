// An own message that the server does not have yet, or rejected.
import { Clock3, TriangleAlert } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { Unsent } from "../../../../client/unsent.ts";
import { announce } from "../../../../web/ui/browser/announce.ts";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { focusAfter } from "../../../../web/ui/browser/focus-after.ts";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { useChannel, useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { useCountdown } from "../../../../web/ui/words/countdown.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import { Prose } from "../markdown/prose.tsx";
import { useNamesToCall } from "../model/known-names.ts";
import { AuthorFace, Byline } from "./byline.tsx";
import { ReplyLine } from "./reply-place.tsx";
import styles from "./row.module.css";

/** By nonce: the reason of a failure, once it was announced. A row that scrolls back into view does not repeat it. */
const said = new Map<string, string>();
/** The most reasons that are remembered; older ones would be announced again. */
const mostSaid = 100;

/** Messages that wait longer than this, in milliseconds, are marked as waiting. */
const longMs = 10_000;

export function UnsentRow({ unsent, isHead }: { unsent: Unsent; isHead: boolean }) {
  const { messages: words } = useWords();
  const user = useCopy((copy) => copy.user);
  const channel = useChannel(unsent.channelId);
  const serverId = channel?.server_id ?? null;
  const names = useNamesToCall(channel);
  const hasFailed = unsent.state === "failed";
  const isRefused = hasFailed || unsent.failure !== undefined || unsent.faultId !== undefined;
  const state = hasFailed ? words.notSent : words.sending;
  return (
    <article
      data-state={hasFailed ? "failed" : "pending"}
      tabIndex={-1}
      aria-label={words.rowName(user.display_name, state)}
      className={classNames(
        styles.row,
        styles.rising,
        isHead && styles.head,
        unsent.replyTo !== null && styles.hasReply,
        isRefused ? styles.failed : styles.pending,
      )}
    >
      {unsent.replyTo !== null && <ReplyLine channelId={unsent.channelId} originalId={unsent.replyTo} />}
      <Waiting unsent={unsent} isShown={!isRefused} />
      {isHead && <AuthorFace author={{ ...user, kind: "user" }} size={36} />}
      <div className={styles.body}>
        {isHead && <Byline author={{ ...user, kind: "user" }} serverId={serverId} />}
        {unsent.content !== "" && <Prose content={unsent.content} names={names} serverId={serverId} />}
        {unsent.attachments.length > 0 && <p>{words.files(unsent.attachments.length)}</p>}
        {isRefused && <Failure unsent={unsent} />}
      </div>
    </article>
  );
}

/** A clock in the place of the time. */
function Waiting({ unsent, isShown }: { unsent: Unsent; isShown: boolean }) {
  const { messages: words } = useWords();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), unsent.writtenAt + longMs - Date.now());
    return () => clearTimeout(timer);
  }, [unsent.writtenAt]);
  return (
    <span className={styles.at} title={isLong ? words.stillSending : words.sending}>
      {isShown && <Icon of={Clock3} size={14} />}
    </span>
  );
}

/** The reason of the failure, and the options; a temporary failure is retried automatically after a delay. */
function Failure({ unsent }: { unsent: Unsent }) {
  const { messages: words } = useWords();
  const { outbox } = useHouse();
  const { nonce, faultId } = unsent;
  const reason = useReason(unsent);
  return (
    <div className={styles.failure}>
      <Icon of={TriangleAlert} size={14} />
      <span>
        {words.notSent} {reason}
      </span>
      {faultId && <code>{words.request(faultId)}</code>}
      <button
        type="button"
        onClick={({ currentTarget }) => {
          focusAfter(currentTarget.closest("article"));
          outbox.retry(nonce);
        }}
      >
        {words.sendAgain}
      </button>
      <button type="button" onClick={() => outbox.discard(nonce)}>
        {words.discard}
      </button>
    </div>
  );
}

/** The sentence after "Not sent."; announced once to screen readers, not again with each second of the delay. */
function useReason({ nonce, nextTryAt, failure, faultId, isOld, state }: Unsent): string {
  const { messages: words } = useWords();
  const hasFailed = state === "failed";
  const seconds = useMemo(
    () => (nextTryAt === undefined ? undefined : Math.max(0, Math.ceil((nextTryAt - Date.now()) / 1000))),
    [nextTryAt],
  );
  const wait = useCountdown(hasFailed ? undefined : seconds);
  const sentence = isOld ? words.tooOld : faultId !== undefined ? words.serverFault : (failure ?? "");
  useEffect(() => {
    if (said.get(nonce) === sentence) return;
    said.delete(nonce);
    said.set(nonce, sentence);
    const [oldest] = said.keys();
    if (said.size > mostSaid && oldest !== undefined) said.delete(oldest);
    announce(`${words.notSent} ${sentence}`);
  }, [words, nonce, sentence]);
  if (hasFailed || wait === undefined) return sentence;
  return faultId === undefined ? words.tooFast(wait) : `${sentence} ${words.triedAgain(wait)}`;
}
