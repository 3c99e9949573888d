// Moving channels by hand: which one is in the hand, and before which it would be put.
import { type DragEvent, useMemo, useState } from "react";
import { useHouse } from "../../../web/ui/house.tsx";
import { useWords } from "../../../web/ui/words.ts";
import type { Channel } from "../contract.ts";
import { moveChannel } from "./moving.ts";
import type { Place } from "./order.ts";

/** The kind of what is dragged: text that is let go elsewhere is no channel. */
const kind = "application/x-hearth-channel";

/** How a row takes part in it. */
interface Hand {
  /** It would go before this row, if it were let go now. */
  isTarget: boolean;
  onDragStart(event: DragEvent): void;
  onDragOver(event: DragEvent): void;
  onDrop(event: DragEvent): void;
  onDragEnd(): void;
}

/** The same object until something is dragged elsewhere: rows are not drawn again for anything else. */
export interface Dragging {
  forRow(channel: Channel): Hand;
  /** For the head of a category: letting go there puts the channel at its beginning. */
  forCategory(category: string | null, first: Channel | undefined): Hand;
}

export function useDragging(): Dragging {
  const { chat } = useHouse();
  const { channels: words } = useWords();
  const [held, setHeld] = useState<Channel>();
  const [target, setTarget] = useState<string>();

  return useMemo(() => {
    const hand = (key: string, place: Place): Hand => ({
      isTarget: held !== undefined && target === key,
      onDragStart() {},
      onDragOver(event) {
        if (!held || !event.dataTransfer.types.includes(kind)) return;
        event.preventDefault();
        setTarget(key);
      },
      onDrop(event) {
        if (!held) return;
        event.preventDefault();
        void moveChannel(chat, held, place, words.notMoved);
        end();
      },
      onDragEnd: end,
    });
    function end() {
      setHeld(undefined);
      setTarget(undefined);
    }

    return {
      forRow: (channel) => ({
        ...hand(channel.id, { category: channel.category, before: channel.id }),
        onDragStart(event: DragEvent) {
          event.dataTransfer.setData(kind, channel.id);
          event.dataTransfer.effectAllowed = "move";
          setHeld(channel);
        },
      }),
      forCategory: (category, first) => hand(`category ${category}`, { category, before: first?.id }),
    };
  }, [chat, words, held, target]);
}
