// A list with rows that can be reordered, by pointer or keyboard. Its implementation is loaded on first use.
import type { ReactNode } from "react";
import { lazily } from "../browser/lazily.ts";

export interface ReorderItem {
  id: string;
  /** The name for screen readers. */
  name: string;
  /** The row cannot be moved. */
  isFixed: boolean;
  content: ReactNode;
}

export interface ReorderProps {
  label: string;
  items: readonly ReorderItem[];
  chosenId: string | undefined;
  /** Returns the label of a row's handle: "Move Helpers". */
  handleName(name: string): string;
  onChoose(id: string): void;
  /** Called with the ids in the new order. */
  onOrder(ids: readonly string[]): void;
}

export const ReorderList = lazily<ReorderProps>(async () => (await import("./reorder-rows.tsx")).default);
