// The role as which the reader looks at a channel, to see what its holders may do there.
import { create } from "zustand";

interface Viewed {
  channelId: string | undefined;
  roleId: string;
}

const nothing: Viewed = { channelId: undefined, roleId: "" };

export const useViewed = create<Viewed>(() => nothing);

export function stopViewing(): void {
  useViewed.setState(nothing);
}

/** True while the reader looks at this channel as a role: nothing is sent then. */
export function isViewed(channelId: string): boolean {
  return useViewed.getState().channelId === channelId;
}

/** Returns the role as which the reader looks at this channel. */
export function useViewedAs(channelId: string | undefined): string | undefined {
  return useViewed((viewed) => (viewed.channelId === channelId && channelId ? viewed.roleId : undefined));
}
