// A list whose rows are put into another order, by hand or by keys. What it is made of is loaded with the first one.
import type { ReactNode } from "react";
import { lazily } from "../browser/lazily.ts";

export interface ReorderItem {
  id: string;
  /** What it is called in what is read out. */
  name: string;
  /** It stays where it is. */
  isFixed: boolean;
  content: ReactNode;
}

export interface ReorderProps {
  label: string;
  items: readonly ReorderItem[];
  chosenId: string | undefined;
  /** What the handle of a row is called: "Move Helpers". */
  handleName(name: string): string;
  onChoose(id: string): void;
  /** The ids in the order that is wanted. */
  onOrder(ids: readonly string[]): void;
}

export const ReorderList = lazily<ReorderProps>(async () => (await import("./reorder-rows.tsx")).default);
