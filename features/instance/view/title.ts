// The title of the window: the number of unread mentions and direct messages, who calls or wrote last, the open page, and
// its place.
import { useEffect } from "react";
import { create } from "zustand";
import { useInstance } from "./instance.ts";

interface Title {
  /** Undefined until a page has set its title. */
  page: string | undefined;
  /** Unread mentions of the reader, and unread messages of conversations. */
  calls: number;
  /** Says who wrote last in an unread conversation. */
  news: string | undefined;
  /** Says who calls, while it rings. */
  ring: string | undefined;
}

const useTitleParts = create<Title>(() => ({
  page: undefined,
  calls: 0,
  news: undefined,
  ring: undefined,
}));

useTitleParts.subscribe(({ page, calls, news, ring }) => {
  if (page === undefined) return;
  const said = ring ?? news;
  const title = said === undefined ? page : `${said} · ${page}`;
  document.title = calls > 0 ? `(${calls}) ${title}` : title;
});

/** `place` is what the page belongs to, a server; without it, the instance. */
export function useTitle(title: string, place?: string): void {
  const name = useInstance()?.name ?? "Hearth";
  const page = `${title} · ${place ?? name}`;
  useEffect(() => useTitleParts.setState({ page }), [page]);
}

export function countCalls(calls: number, news?: string): void {
  useTitleParts.setState({ calls, news });
}

/** `ring` says who calls; undefined once nothing rings. */
export function sayRinging(ring: string | undefined): void {
  useTitleParts.setState({ ring });
}
