// Compares two states of a channel for views: each new message changes its last one, which few views show.
import type { OwnChannel } from "../state.ts";

interface Props {
  channel: OwnChannel;
}

/** For `memo`, of a view whose only prop is a channel. */
export function isSameChannel({ channel: one }: Props, { channel: other }: Props): boolean {
  const names = Object.keys(other) as (keyof OwnChannel)[];
  return names.every((name) => name.startsWith("last_message") || one[name] === other[name]);
}
