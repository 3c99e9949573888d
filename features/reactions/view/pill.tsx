// One emoji under a message: its count, whether it is the user's own, and the names on demand.
import { useState } from "react";
import { focusAfter } from "../../../web/ui/browser/focus-after.ts";
import { afterwards } from "../../../web/ui/loading/later.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { currentLanguage, useWords } from "../../../web/ui/words/words.ts";
import type { Message } from "../../messages/contract.ts";
import { toggle } from "./choosing.ts";
import styles from "./reactions.module.css";

const who = afterwards(() => import("./who.ts"));

interface Props {
  message: Message;
  reaction: Message["reactions"][number];
  canReact: boolean;
}

export function Pill({ message, reaction: { emoji, count, me }, canReact }: Props) {
  const house = useHouse();
  const words = useWords();
  const ownId = useCopy(({ user }) => user.id);
  const [said, setSaid] = useState<{ count: number; by: string }>();
  const [isAsked, setAsked] = useState(false);
  function ask() {
    const met = house.chat.state.copy?.direct.get(message.channel_id)?.recipients;
    setAsked(true);
    if (said?.count === count) return;
    who
      .ask()
      .then(({ whoReacted }) => whoReacted(message, emoji, { id: ownId, you: words.reactions.you, met }))
      .then(({ names, others }) => {
        const all = others > 0 ? [...names, words.reactions.others(others)] : names;
        setSaid({ count, by: new Intl.ListFormat(currentLanguage()).format(all) });
      })
      // Missing names are not worth a network error.
      .catch(() => {});
  }
  const by = said?.count === count ? said.by : undefined;
  return (
    <button
      type="button"
      aria-pressed={me}
      aria-disabled={!canReact || undefined}
      aria-label={words.reactions.count(emoji, count)}
      aria-description={by}
      className={styles.pill}
      onPointerEnter={ask}
      onPointerLeave={() => setAsked(false)}
      onFocus={ask}
      onBlur={() => setAsked(false)}
      onClick={({ currentTarget, detail }) => {
        if (!canReact) return;
        // By a key: the pill goes with the last reaction, and the focus stays in the row.
        if (detail === 0 && me && count === 1) focusAfter(currentTarget.closest("article"));
        toggle(message, emoji, house, words);
      }}
    >
      <span className={styles.emoji}>{emoji}</span>
      <span key={count}>{count}</span>
      {isAsked && by && (
        <span role="tooltip" className={styles.tip}>
          {by}
        </span>
      )}
    </button>
  );
}
