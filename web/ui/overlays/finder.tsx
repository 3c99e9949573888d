// A dialog with a search box and its results below: arrow keys select, Enter takes.
import type { ReactNode } from "react";
import { laterWithKeys } from "../loading/later.tsx";

export interface Found {
  id: string;
  /** The text value of the item. */
  name: string;
  /** The content in the margin. */
  mark: ReactNode;
  /** The content right of the spine. */
  text: ReactNode;
  end?: ReactNode;
}

export interface FinderProps {
  /** The name of the dialog and of the box. */
  label: string;
  query: string;
  groups: readonly { id: string; title: string; found: readonly Found[] }[];
  /** The message when nothing is found. */
  empty: string;
  /** The line at the bottom, about the keys. */
  foot: ReactNode;
  onQuery(query: string): void;
  onTake(id: string): void;
  onClose(): void;
}

/** Loaded when the page is idle, or on first use. */
export const Finder = laterWithKeys<FinderProps>(
  async () => (await import("./finder-overlay.tsx")).FinderOverlay,
);
