// For which message an emoji is being chosen, and what the choice stands beside.
import { create } from "zustand";

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
