// The people whose voice is heard in the call of this browser right now: the list of channels shows it, and cannot know of calls.
import { create } from "zustand";

const useSpeaking = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

export function useIsSpeaking(userId: string): boolean {
  return useSpeaking(({ ids }) => ids.has(userId));
}

export function setSpeaking(ids: readonly string[]): void {
  useSpeaking.setState({ ids: new Set(ids) });
}
