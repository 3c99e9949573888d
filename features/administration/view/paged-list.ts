// A list of the console, paged by id and filtered by the typed text.
import { useCallback, useState } from "react";
import type { Listed } from "../../../client/call.ts";
import { useSettled } from "../../../web/ui/browser/settled.ts";
import { type Fetched, useFetched } from "../../../web/ui/session/fetched.tsx";

interface Query {
  q?: string;
  after?: string;
  limit: number;
}

export type List<Row> = (query: Query, signal: AbortSignal) => Promise<Listed<Row[]>>;

export interface PagedList<Row> {
  /** The search text as typed. */
  wanted: string;
  want(text: string): void;
  /** The search text of the page that is shown. */
  found: string;
  asked: Fetched<Listed<Row[]>>;
  /** The position of the page's first row in the list, from 1. */
  firstPlace: number;
  earlier: (() => void) | undefined;
  later: (() => void) | undefined;
}

const rowsOfPage = 20;
/** `list` must be the same function in each render. */
export function usePagedList<Row extends { id: string }>(list: List<Row>): PagedList<Row> {
  const [wanted, setWanted] = useState("");
  const found = useSettled(wanted.trim());
  /** The last ids of the previous pages, and the search that they belong to. */
  const [turned, setTurned] = useState<{ of: string; ids: readonly string[] }>({ of: "", ids: [] });
  const trail = turned.of === found ? turned.ids : [];
  const turn = (ids: readonly string[]) => setTurned({ of: found, ids });
  const after = trail.at(-1);
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const page = await list(
        { limit: rowsOfPage, ...(found && { q: found }), ...(after && { after }) },
        signal,
      );
      return { ...page, found, after };
    },
    [list, found, after],
  );
  const asked = useFetched(ask);
  const { value } = asked;
  const last = value?.items.at(-1);
  // The buttons stay while another page is on its way, and are about that one: what follows it is not known yet.
  const isShown = value?.found === found && value.after === after;
  return {
    wanted,
    want: setWanted,
    found,
    asked,
    firstPlace: trail.length * rowsOfPage + 1,
    earlier: trail.length > 0 ? () => turn(trail.slice(0, -1)) : undefined,
    later: value?.hasMore && last ? () => isShown && turn([...trail, last.id]) : undefined,
  };
}
