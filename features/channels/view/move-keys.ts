// Moves the focused channel by keys, which the sheet of keys and the menu also list.
import { type KeyboardEvent, useLayoutEffect, useRef } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { command, isMac, keysIn, keysOf } from "../../../web/ui/keys/keys.ts";
import { doneLater } from "../../../web/ui/loading/later.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../state.ts";

// The list handles these keys itself: in a field they select text.
export const moves = {
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

const moveByStep = doneLater(async () => (await import("./moving.ts")).moveByStep);

/** Returns the keys of both moves in the format of `aria-keyshortcuts`. */
export function shortcuts(): string {
  return Object.values(moves).map(shortcutOf).join(" ");
}

/** Returns the keys of one move in the same format. */
export function shortcutOf(move: (typeof moves)[keyof typeof moves]): string {
  return keysOf(move).replace("$mod", isMac ? "Meta" : "Control");
}

/** Returns the key handler of the list, which returns whether the key was one of these. */
export function useMoveKeys(server: OwnServer): (event: KeyboardEvent<HTMLElement>) => boolean {
  const { chat } = useHouse();
  const { channels: words } = useWords();
  const carried = useCarriedFocus(server);
  return (event) => {
    const keys = keysIn(event);
    const step = keys === keysOf(moves.up) ? -1 : keys === keysOf(moves.down) ? 1 : undefined;
    const list = event.currentTarget;
    const channel = [...server.channels.values()].find(
      (each) => rowIn(list, each) === document.activeElement,
    );
    if (keys !== undefined) carried.current = undefined;
    if (step === undefined || !channel) return false;
    event.preventDefault();
    carried.current = { list, channel };
    addEventListener("pointerdown", () => (carried.current = undefined), { once: true, capture: true });
    moveByStep(chat, channel, step, words);
    return true;
  };
}

/**
 * Keeps the focus on the moved row until another key is pressed: the browser drops it from a row that changes its
 * place, here and again when the server's events arrive, and in another category it is a new row.
 */
function useCarriedFocus(server: OwnServer) {
  const carried = useRef<{ list: HTMLElement; channel: OwnChannel }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows change their places with the server's channels.
  useLayoutEffect(() => {
    if (!carried.current) return;
    const row = rowIn(carried.current.list, carried.current.channel);
    if (row !== document.activeElement) row?.focus();
  }, [server.channels]);
  return carried;
}

function rowIn(list: HTMLElement, { server_id, id }: OwnChannel): HTMLElement | null {
  return list.querySelector(`a[href="${paths.channel({ server_id, id })}"]`);
}
