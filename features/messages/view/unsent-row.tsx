// A message of one's own that the server does not have yet, or refused.
import { Clock3, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import type { Unsent } from "../../../client/outbox.ts";
import { classNames } from "../../../web/ui/class-names.ts";
import { useCountdown } from "../../../web/ui/countdown.ts";
import { Face } from "../../../web/ui/face.tsx";
import { focusAfter } from "../../../web/ui/focus-after.ts";
import { channelIn, useCopy, useHouse } from "../../../web/ui/house.tsx";
import { Icon } from "../../../web/ui/icon.tsx";
import { useWords } from "../../../web/ui/words.ts";
import { Byline } from "./byline.tsx";
import { useNames } from "./known-names.ts";
import { Prose } from "./markdown/prose.tsx";
import { OriginalLine } from "./reply-line.tsx";
import styles from "./row.module.css";

/** A message that waits longer than this says so, in milliseconds. */
const longMs = 10_000;

export function UnsentRow({ unsent, isHead }: { unsent: Unsent; isHead: boolean }) {
  const { messages: words } = useWords();
  const user = useCopy((copy) => copy.user);
  const serverId = useCopy((copy) => channelIn(copy, unsent.channelId)?.server_id) ?? "";
  const names = useNames(serverId);
  const hasFailed = unsent.state === "failed";
  const isRefused = hasFailed || unsent.failure !== undefined;
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
      {isHead && <Face id={user.id} name={user.display_name} picture={user.avatar} size={36} />}
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

/** Why it was not sent, and what can be done; where that was too fast it sends itself when the wait is over. */
function Failure({ unsent }: { unsent: Unsent }) {
  const { messages: words } = useWords();
  const { outbox } = useHouse();
  const { nonce, nextTryAt, failure, state } = unsent;
  const [seconds] = useState(() => nextTryAt && Math.max(0, Math.ceil((nextTryAt - Date.now()) / 1000)));
  const wait = useCountdown(state === "failed" ? undefined : seconds);
  return (
    <div className={styles.failure} role="status">
      <Icon of={TriangleAlert} size={14} />
      <span>
        {words.notSent} {wait === undefined ? failure : words.tooFast(wait)}
      </span>
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
