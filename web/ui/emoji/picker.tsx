// The content of the emoji picker: search, groups, skin tone, the grid, and the selected emoji at its foot.
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { isComposing } from "../browser/input-method.ts";
import { keep, useKept } from "../browser/kept.ts";
import { PickerSearch } from "../controls/picker-search.tsx";
import { useWords } from "../words/words.ts";
import { loadEmoji } from "./emoji.ts";
import { type Emoji, inTone, type Tone } from "./entries.ts";
import { EmojiGrid, type GridHandle } from "./grid.tsx";
import { GroupTabs, ToneChoice } from "./groups.tsx";
import styles from "./picker.module.css";
import { emojiAt, firstPlace, moved, type Place, pickerRows } from "./picker-rows.ts";
import { recentKey, toneKey, usedEmoji } from "./used.ts";

interface Props {
  onPick(emoji: string): void;
  onClose(): void;
}

const recentMost = 8;
/** The recent emoji of somebody who has used none yet. */
const atFirst = ["👍", "❤️", "😂", "🎉", "🙏", "👀", "✅", "🔥"];

function recentEmoji(): readonly string[] {
  return usedEmoji() ?? atFirst;
}

export function Picker({ onPick, onClose }: Props) {
  const { emoji: words, parts } = useWords();
  const [query, setQuery] = useState("");
  const [tone, setTone] = useKept<Tone>(toneKey, 0);
  const [place, setPlace] = useState<Place>();
  const { rows, rowsOf, hasFailed, again } = useRows(useDeferredValue(query));
  const id = useId();
  const grid = useRef<GridHandle>(null);
  const at = place ?? firstPlace(rows);
  const active = emojiAt(rows, at);

  function pick(each: Emoji, stays: boolean) {
    const others = recentEmoji().filter((other) => other !== each.emoji);
    keep(recentKey, [each.emoji, ...others].slice(0, recentMost));
    onPick(inTone(each, tone));
    if (!stays) onClose();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return;
    // The rendered rows may still be those of an earlier query.
    const found = rowsOf(query);
    const from = place ?? firstPlace(found);
    if (!from) return;
    const next = moved(found, from, event.key);
    const chosen = emojiAt(found, from);
    if (next) {
      setPlace(next);
      grid.current?.show(next.row);
    } else if (event.key === "Enter" && chosen) pick(chosen, event.shiftKey);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <PickerSearch
        value={query}
        label={words.search}
        resultsId={id}
        resultsRole="grid"
        activeId={at && `${id} ${at.row} ${at.column}`}
        onChange={(text) => {
          setQuery(text);
          setPlace(undefined);
          grid.current?.show(0);
        }}
        onKeyDown={onKeyDown}
      >
        <ToneChoice tone={tone} onChoose={setTone} />
      </PickerSearch>
      <GroupTabs rows={rows} onChoose={(row) => grid.current?.show(row, "start")} />
      {hasFailed && (
        <p className={styles.nothing}>
          {words.cannotLoad}{" "}
          <button type="button" onClick={again}>
            {parts.tryAgain}
          </button>
        </p>
      )}
      {!hasFailed && query !== "" && rows.length === 0 && (
        <p className={styles.nothing}>{words.nothing(query)}</p>
      )}
      <EmojiGrid ref={grid} id={id} rows={rows} at={at} tone={tone} onPoint={setPlace} onPick={pick} />
      <Foot emoji={active} tone={tone} />
    </>
  );
}

/** Returns the rows once the list is loaded. The recent emoji stay as they were when the picker opened. */
function useRows(query: string) {
  const [all, setAll] = useState<readonly Emoji[]>([]);
  const [hasFailed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const [recent] = useState(recentEmoji);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks again.
  useEffect(() => {
    setFailed(false);
    loadEmoji().then(setAll, () => setFailed(true));
  }, [tries]);
  const rows = useMemo(() => pickerRows(all, recent, query), [all, recent, query]);
  const rowsOf = (text: string) => (text === query ? rows : pickerRows(all, recent, text));
  return { rows, rowsOf, hasFailed, again: () => setTries(tries + 1) };
}

function Foot({ emoji, tone }: { emoji: Emoji | undefined; tone: Tone }) {
  return (
    <div className={styles.foot} aria-hidden="true">
      {emoji && (
        <>
          <span className={styles.large}>{inTone(emoji, tone)}</span>
          <span className={styles.name}>{emoji.name}</span>
          <span className={styles.code}>:{emoji.code}:</span>
        </>
      )}
    </div>
  );
}
