// The content of the GIF picker: popular GIFs, or those found by a search, to choose by key or by pointer.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { isComposing } from "../../../web/ui/browser/input-method.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { PickerSearch } from "../../../web/ui/controls/picker-search.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { searchGifs, trendingGifs } from "../calls.ts";
import type { Gif } from "../contract.ts";
import { GifGrid } from "./gif-grid.tsx";
import styles from "./gif-picker.module.css";

/** The pause in typing after which the search starts, in milliseconds. */
const restMs = 300;
const queryMost = 100;
const columns = 2;

export default function GifPicker({ onPick }: { onPick(url: string): void }) {
  const { gifs: words, parts } = useWords();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const { gifs, isFound, isLoading, error, again } = useGifs(query.trim(), () => setActive(0));
  const id = useId();

  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent) || gifs.length === 0) return;
    const step = { ArrowDown: columns, ArrowUp: -columns, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const chosen = gifs[active];
    if (step) setActive(Math.max(0, Math.min(active + step, gifs.length - 1)));
    else if (event.key === "Enter" && chosen) {
      // GIFs of an earlier search are not the ones asked for.
      if (isFound) onPick(chosen.url);
    } else return;
    event.preventDefault();
  }

  return (
    <>
      <PickerSearch
        value={query}
        label={words.search}
        resultsId={id}
        resultsRole="listbox"
        activeId={gifs.length > 0 ? `${id}-${active}` : undefined}
        maxLength={queryMost}
        onChange={setQuery}
        onKeyDown={onKeyDown}
      />
      <div role="status" className={styles.said}>
        {isLoading && gifs.length === 0 && words.loading}
        {!isLoading && !error && gifs.length === 0 && words.nothing(query)}
        {error && (
          <>
            <p>{error.passes ? words.cannotLoad : error.message}</p>
            <Button isSmall onClick={again}>
              {parts.tryAgain}
            </Button>
          </>
        )}
      </div>
      <GifGrid id={id} gifs={gifs} active={active} onPoint={setActive} onPick={onPick} />
    </>
  );
}

interface Found {
  gifs: readonly Gif[];
  foundBy: string | undefined;
}

/** Keeps the previous GIFs until there are new ones; `isFound`: they belong to this query. */
function useGifs(query: string, onNew: () => void) {
  const [{ gifs, foundBy }, setFound] = useState<Found>({ gifs: [], foundBy: undefined });
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<CallError>();
  const [tries, setTries] = useState(0);
  const show = useRef((_: readonly Gif[]) => {});
  show.current = (found) => {
    setFound({ gifs: found, foundBy: query });
    setLoading(false);
    onNew();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks again.
  useEffect(() => {
    const stop = new AbortController();
    setLoading(true);
    setError(undefined);
    const ask = () =>
      query === "" ? trendingGifs({}, stop.signal) : searchGifs({ query: { q: query } }, stop.signal);
    const failed = (thrown: unknown) => {
      if (stop.signal.aborted) return;
      setLoading(false);
      setError(CallError.from(thrown));
    };
    const timer = setTimeout(
      () => ask().then((found) => show.current(found), failed),
      query === "" ? 0 : restMs,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, tries]);
  return { gifs, isFound: foundBy === query, isLoading, error, again: () => setTries(tries + 1) };
}
