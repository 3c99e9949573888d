// Moving channels by keys: those that move the row that has the focus, as the sheet of keys and the menu name them.
import type { KeyboardEvent } from "react";
import type { ServerEntry } from "../../../client/ready.ts";
import { useHouse } from "../../../web/ui/house.tsx";
import { command, keysIn, keysOf, readable } from "../../../web/ui/keys.ts";
import { paths } from "../../../web/ui/paths.ts";
import { useWords } from "../../../web/ui/words.ts";
import { moveByStep } from "./moving.ts";

// The list answers to them itself: in a field they select text.
const moves = {
  up: command({
    id: "channelMoveUp",
    keys: "$mod+Shift+ArrowUp",
    isLast: true,
    name: ({ channels }) => channels.moveUp,
  }),
  down: command({
    id: "channelMoveDown",
    keys: "$mod+Shift+ArrowDown",
    isLast: true,
    name: ({ channels }) => channels.moveDown,
  }),
};

export function keysOfMove(way: keyof typeof moves): string {
  return readable(keysOf(moves[way])).join(" ");
}

/** As `aria-keyshortcuts` has them. */
export function shortcuts(): string {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  return Object.values(moves)
    .map((each) => keysOf(each).replace("$mod", isMac ? "Meta" : "Control"))
    .join(" ");
}

/** Returns what handles a key of the list, and whether the key was one of these. */
export function useMoveKeys(server: ServerEntry): (event: KeyboardEvent<HTMLElement>) => boolean {
  const { chat } = useHouse();
  const { channels: words } = useWords();
  return (event) => {
    const keys = keysIn(event);
    const step = keys === keysOf(moves.up) ? -1 : keys === keysOf(moves.down) ? 1 : undefined;
    if (step === undefined) return false;
    const list = event.currentTarget;
    const rowOf = (id: string) =>
      list.querySelector<HTMLElement>(`a[href="${paths.channel(server.id, id)}"]`);
    const channel = server.channels.find(({ id }) => rowOf(id) === document.activeElement);
    if (!channel) return false;
    event.preventDefault();
    moveByStep(chat, channel, step, words);
    // The row may have gone to another list, and there it is a new one.
    requestAnimationFrame(() => rowOf(channel.id)?.focus());
    return true;
  };
}
