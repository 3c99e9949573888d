// The people who are speaking in this browser's call, shared with the list of channels, which cannot depend on calls.
import { create } from "zustand";

const useSpeaking = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

export function useIsSpeaking(userId: string): boolean {
  return useSpeaking(({ ids }) => ids.has(userId));
}

export function setSpeaking(ids: readonly string[]): void {
  useSpeaking.setState({ ids: new Set(ids) });
}
