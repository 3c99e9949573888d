// The title of the window while a page is open: how many call the reader, what is open, and where.
import { useEffect } from "react";
import { create } from "zustand";
import { useInstance } from "./instance.ts";

interface Title {
  /** Undefined before a page has said what it is. */
  page: string | undefined;
  /** Mentions of the reader that are not read. */
  calls: number;
}

const useTitleParts = create<Title>(() => ({ page: undefined, calls: 0 }));

useTitleParts.subscribe(({ page, calls }) => {
  if (page !== undefined) document.title = calls > 0 ? `(${calls}) ${page}` : page;
});

/** `place` is where the page belongs: a server; without it the instance. */
export function useTitle(title: string, place?: string): void {
  const name = useInstance()?.name ?? "Hearth";
  const page = `${title} · ${place ?? name}`;
  useEffect(() => useTitleParts.setState({ page }), [page]);
}

export function countCalls(calls: number): void {
  useTitleParts.setState({ calls });
}
