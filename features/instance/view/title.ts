// The title of the window: the number of unread mentions and direct messages, who wrote the last of these, the open page, and its place.
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
}

const useTitleParts = create<Title>(() => ({
  page: undefined,
  calls: 0,
  news: undefined,
}));

useTitleParts.subscribe(({ page, calls, news }) => {
  if (page === undefined) return;
  const title = news === undefined ? page : `${news} · ${page}`;
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
