// Choosing a reaction: the message for which an emoji is being chosen, the anchor of the picker, and what a choice does.
import { create } from "zustand";
import { limits } from "../../../protocol/limits.ts";
import { doneLater } from "../../../web/ui/loading/later.tsx";
import type { Message } from "../../messages/contract.ts";

interface Choosing {
  messageId: string | undefined;
  anchor: HTMLElement | undefined;
  start(messageId: string, anchor: HTMLElement): void;
  stop(): void;
}

export const useChoosing = create<Choosing>((set) => ({
  messageId: undefined,
  anchor: undefined,
  start: (messageId, anchor) => set({ messageId, anchor }),
  stop: () => set({ messageId: undefined, anchor: undefined }),
}));

/** True if the message has the most emoji allowed. */
export function isFull({ reactions }: Message): boolean {
  return reactions.length >= limits.reactions_max;
}

/** Adds or removes the user's own reaction. */
export const toggle = doneLater(async () => (await import("./toggling.ts")).toggle);
