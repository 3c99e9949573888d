// The message of a channel that the next one replies to. The composer shows it, and sends its id.
import { create } from "zustand";

interface Replying {
  byChannel: Readonly<Record<string, string>>;
  reply(channelId: string, messageId: string): void;
  stop(channelId: string): void;
}

export const useReplying = create<Replying>((set) => ({
  byChannel: {},
  reply: (channelId, messageId) =>
    set(({ byChannel }) => ({ byChannel: { ...byChannel, [channelId]: messageId } })),
  stop: (channelId) => set(({ byChannel: { [channelId]: _, ...byChannel } }) => ({ byChannel })),
}));
