// A paginated list, with a button that loads the next page.
import { useCallback, useRef } from "react";
import type { Listed } from "../../../client/call.ts";
import { Button } from "../controls/button.tsx";
import { type Act, useAct } from "../overlays/act.ts";
import { Refused } from "../overlays/refused.tsx";
import { useWords } from "../words/words.ts";
import { type Fetched, useFetched } from "./fetched.tsx";

export interface Pages<T> extends Fetched<Listed<T[]>> {
  next: Act;
  /** Loads the next page. */
  more(): void;
}

/** `load` fetches the page after an item, or the first one. The list reloads when `load` is another function. */
export function usePages<T>(
  load: (last: T | undefined, signal?: AbortSignal) => Promise<Listed<T[]>>,
  idOf: (item: T) => string,
): Pages<T> {
  const first = useCallback((signal: AbortSignal) => load(undefined, signal), [load]);
  const fetched = useFetched(first);
  const next = useAct();
  const wanted = useRef(load);
  wanted.current = load;
  function more() {
    void next.run(async () => {
      const last = fetched.value?.items.at(-1);
      const [page, after] = await fetched.asking(load(last));
      // The list has changed meanwhile, for example by another search.
      if (wanted.current !== load) return;
      fetched.change((now) => {
        const { items } = now;
        const end = items.at(-1);
        // A reload has brought other items: between their end and this page some would be missing.
        if (last && (!end || idOf(end) !== idOf(last))) return now;
        const known = new Set(items.map(idOf));
        return after({ ...page, items: [...items, ...page.items.filter((item) => !known.has(idOf(item)))] });
      });
    });
  }
  return { ...fetched, next, more };
}

/** The button for the next page; renders nothing after the last one. */
export function More<T>({ of: { value, next, more } }: { of: Pages<T> }) {
  const { parts: words } = useWords();
  if (!value?.hasMore) return null;
  return (
    <p>
      <Button isSmall isBusy={next.isBusy} onClick={more}>
        {words.more}
      </Button>
      <Refused by={next.error} />
    </p>
  );
}
