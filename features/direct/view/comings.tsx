// The line below the writing box of a group that says once that somebody came or went.
import { useEffect, useRef, useState } from "react";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnConversation } from "../state.ts";
import styles from "./room-parts.module.css";

/** How long it is shown, in milliseconds. */
const shownMs = 10_000;

export function Comings({ recipients }: Pick<OwnConversation, "recipients">) {
  const { direct: words } = useWords();
  const before = useRef(recipients);
  const [news, setNews] = useState<{ text: string }>();
  useEffect(() => {
    const [were, are] = [before.current, recipients];
    before.current = recipients;
    const came = are.find(({ id }) => !were.some((each) => each.id === id));
    const went = were.find(({ id }) => !are.some((each) => each.id === id));
    if (came) setNews({ text: words.came(came.display_name) });
    else if (went) setNews({ text: words.went(went.display_name) });
  }, [recipients, words]);
  useEffect(() => {
    if (!news) return;
    const timer = setTimeout(() => setNews(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [news]);
  return (
    <p role="status" className={styles.comings}>
      {news?.text}
    </p>
  );
}
