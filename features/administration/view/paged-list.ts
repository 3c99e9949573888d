// A list of the console, page by page by id, those alone that what is typed finds.
import { useCallback, useEffect, useState } from "react";
import type { Listed } from "../../../client/call.ts";
import { type Fetched, useFetched } from "../../../web/ui/fetched.tsx";

interface Query {
  q?: string;
  after?: string;
  limit: number;
}

export type List<Row> = (query: Query, signal: AbortSignal) => Promise<Listed<Row[]>>;

export interface PagedList<Row> {
  /** As it is typed. */
  wanted: string;
  want(text: string): void;
  /** What the page that is shown was asked for. */
  found: string;
  asked: Fetched<Listed<Row[]>>;
  /** The place of the first row in the list, from 1. */
  firstPlace: number;
  earlier: (() => void) | undefined;
  later: (() => void) | undefined;
}

const rowsOfPage = 20;
/** Longer than between two keys. */
const settleMs = 250;

/** `list` stays the same function. */
export function usePagedList<Row extends { id: string }>(list: List<Row>): PagedList<Row> {
  const [wanted, setWanted] = useState("");
  const [found, setFound] = useState("");
  /** The last ids of the pages before. */
  const [trail, setTrail] = useState<readonly string[]>([]);
  useEffect(() => {
    const text = wanted.trim();
    if (text === found) return;
    const timer = setTimeout(() => {
      setFound(text);
      setTrail([]);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [wanted, found]);
  const after = trail.at(-1);
  const ask = useCallback(
    (signal: AbortSignal) =>
      list({ limit: rowsOfPage, ...(found && { q: found }), ...(after && { after }) }, signal),
    [list, found, after],
  );
  const asked = useFetched(ask);
  const last = asked.value?.items.at(-1);
  return {
    wanted,
    want: setWanted,
    found,
    asked,
    firstPlace: trail.length * rowsOfPage + 1,
    earlier: trail.length > 0 ? () => setTrail(trail.slice(0, -1)) : undefined,
    later: asked.value?.hasMore && last ? () => setTrail([...trail, last.id]) : undefined,
  };
}
