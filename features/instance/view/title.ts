// The title of the window: the number of unread mentions, the open page, and its place.
import { useEffect } from "react";
import { create } from "zustand";
import { useInstance } from "./instance.ts";

interface Title {
  /** Undefined until a page has set its title. */
  page: string | undefined;
  /** Unread mentions of the reader. */
  calls: number;
}

const useTitleParts = create<Title>(() => ({ page: undefined, calls: 0 }));

useTitleParts.subscribe(({ page, calls }) => {
  if (page !== undefined) document.title = calls > 0 ? `(${calls}) ${page}` : page;
});

/** `place` is what the page belongs to, a server; without it, the instance. */
export function useTitle(title: string, place?: string): void {
  const name = useInstance()?.name ?? "Hearth";
  const page = `${title} · ${place ?? name}`;
  useEffect(() => useTitleParts.setState({ page }), [page]);
}

export function countCalls(calls: number): void {
  useTitleParts.setState({ calls });
}
