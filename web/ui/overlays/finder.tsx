// A dialog with one box in which one types and what it finds below: arrow keys choose, Enter takes.
import type { ReactNode } from "react";
import { laterWithKeys } from "../loading/later.tsx";

export interface Found {
  id: string;
  /** What typing ahead finds. */
  name: string;
  /** In the margin. */
  mark: ReactNode;
  /** Right of the spine. */
  text: ReactNode;
  end?: ReactNode;
}

export interface FinderProps {
  /** The name of the dialog and of the box. */
  label: string;
  query: string;
  groups: readonly { id: string; title: string; found: readonly Found[] }[];
  /** Said where nothing is found. */
  empty: string;
  /** Below it all: what keys do. */
  foot: ReactNode;
  onQuery(query: string): void;
  onTake(id: string): void;
  onClose(): void;
}

/** Loaded when the page is idle, or with the first one. */
export const Finder = laterWithKeys<FinderProps>(
  async () => (await import("./finder-overlay.tsx")).FinderOverlay,
);
