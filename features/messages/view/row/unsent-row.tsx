// A message of one's own that the server does not have yet, or refused.
import { Clock3, TriangleAlert } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { Unsent } from "../../../../client/unsent.ts";
import { announce } from "../../../../web/ui/browser/announce.ts";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { focusAfter } from "../../../../web/ui/browser/focus-after.ts";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { channelIn, useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { useCountdown } from "../../../../web/ui/words/countdown.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import { Prose } from "../markdown/prose.tsx";
import { useNamesToCall } from "../model/known-names.ts";
import { AuthorFace, Byline } from "./byline.tsx";
import { OriginalLine } from "./reply-line.tsx";
import styles from "./row.module.css";

/** By nonce: why it was not sent, as far as that was said. A row that comes back into sight says nothing again. */
const said = new Map<string, string>();
/** Reasons of so many messages are remembered; of older ones it would be said once more. */
const mostSaid = 100;

/** A message that waits longer than this says so, in milliseconds. */
const longMs = 10_000;

export function UnsentRow({ unsent, isHead }: { unsent: Unsent; isHead: boolean }) {
  const { messages: words } = useWords();
  const user = useCopy((copy) => copy.user);
  const serverId = useCopy((copy) => channelIn(copy, unsent.channelId)?.server_id) ?? "";
  const names = useNamesToCall(serverId);
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
      {unsent.replyTo !== null && (
        <OriginalLine serverId={serverId} channelId={unsent.channelId} originalId={unsent.replyTo} />
      )}
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

/** A clock where the time will be. */
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

/** Why it was not sent, and what can be done; where that is only a matter of time it sends itself after a wait. */
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

/** The sentence beside "Not sent."; it is said once to those who listen, and not again with each second of a wait. */
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
