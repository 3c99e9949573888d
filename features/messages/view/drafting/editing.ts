// The message being edited in the list. The composer can start editing, too.
import { create } from "zustand";

interface Editing {
  messageId: string | undefined;
  start(messageId: string): void;
  stop(): void;
}

export const useEditing = create<Editing>((set) => ({
  messageId: undefined,
  start: (messageId) => set({ messageId }),
  stop: () => set({ messageId: undefined }),
}));
