// The line above a reply: the author and the beginning of the original, as a link to it.
import { useEffect, useSyncExternalStore } from "react";
import { Link } from "../../../../web/ui/navigation/link.tsx";
import { paths } from "../../../../web/ui/navigation/paths.ts";
import { useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import { usePlain } from "../model/plain.ts";
import { originalsOf } from "./originals.ts";
import styles from "./reply-line.module.css";

interface Props {
  channelId: string;
  originalId: string;
}

export function ReplyLine({ channelId, originalId }: Props) {
  const { messages: words } = useWords();
  const original = useOriginal(channelId, originalId);
  if (original === "gone") {
    return (
      <div className={styles.line}>
        <i>{words.originalGone}</i>
      </div>
    );
  }
  if (original === undefined) return <div className={styles.line} aria-hidden="true" />;
  return <Original message={original} />;
}

function Original({ message }: { message: Message }) {
  const { messages: words } = useWords();
  const { author, content, attachments } = message;
  const line = usePlain(message);
  const said = content === "" ? words.files(attachments.length) : line;
  return (
    <Link
      href={paths.message(message)}
      aria-label={words.replyTo(author.display_name, said)}
      className={styles.line}
    >
      <b dir="auto">{author.display_name}</b>
      <span dir="auto">{said}</span>
    </Link>
  );
}

/** Returns the message from the list, or else the fetched one. */
export function useOriginal(channelId: string, id: string): Message | "gone" | undefined {
  const { chat } = useHouse();
  const originals = originalsOf(chat);
  const listed = useCopy((copy) => {
    const { live, far } = copy.windows.get(channelId) ?? {};
    const isIt = (each: Message) => each.id === id;
    return far?.messages.find(isIt) ?? live?.messages.find(isIt);
  });
  const fetched = useSyncExternalStore(originals.subscribe, () => originals.known(id));
  const times = useSyncExternalStore(originals.subscribe, () => originals.times);
  const isListed = listed !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a known one may have to be fetched anew, and a failed one again.
  useEffect(() => {
    if (!isListed) originals.fetch(channelId, id);
  }, [originals, channelId, id, isListed, times]);
  return listed ?? fetched;
}
