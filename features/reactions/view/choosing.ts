// The message for which an emoji is being chosen, and the anchor of the picker.
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
