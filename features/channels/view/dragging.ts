// Moving channels by hand: which one is in the hand, and where it would be put if it were let go now.
import { type DragEvent, useMemo, useRef, useState } from "react";
import { doneLater } from "../../../web/ui/loading/later.tsx";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Channel } from "../contract.ts";
import { type Place, placed } from "./order.ts";

/** The kind of what is dragged: text that is let go elsewhere is no channel. */
const kind = "application/x-hearth-channel";

const moveChannel = doneLater(async () => (await import("./moving.ts")).moveChannel);

type Side = "before" | "after";

/** How a row, or the head of a category, takes part. */
export interface Hand {
  /** On which side of it the channel in the hand would stand. */
  target: Side | undefined;
  /** It is what is in the hand. */
  isHeld: boolean;
  onDragStart(event: DragEvent<HTMLElement>): void;
  onDragOver(event: DragEvent<HTMLElement>): void;
  onDrop(event: DragEvent<HTMLElement>): void;
  onDragEnd(): void;
}

/** The same object until something is dragged elsewhere: rows are not drawn again for anything else. */
export interface Dragging {
  /** `next` is the row below it in the same category. */
  forRow(channel: Channel, next: Channel | undefined): Hand;
  /** For the head of a category: letting go there puts the channel at its beginning. */
  forCategory(category: string | null, first: Channel | undefined): Hand;
}

interface Target {
  key: string;
  side: Side;
}

export function useDragging(channels: readonly Channel[]): Dragging {
  const { chat } = useHouse();
  const { channels: words } = useWords();
  const [held, setHeld] = useState<Channel>();
  const [target, setTarget] = useState<Target>();
  const now = useRef(channels);
  now.current = channels;
  return useMemo(() => {
    const end = () => {
      setHeld(undefined);
      setTarget(undefined);
    };

    const isElsewhere = ({ id }: Channel, place: Place) =>
      place.before !== id && placed(now.current, id, place).length > 0;

    const hand = (key: string, placeAt: (event: DragEvent<HTMLElement>) => [Side, Place]): Hand => ({
      target: target?.key === key ? target.side : undefined,
      isHeld: held?.id === key,
      onDragStart() {},
      onDragOver(event) {
        if (!held || !event.dataTransfer.types.includes(kind)) return;
        event.preventDefault();
        const [side, place] = placeAt(event);
        // Where it stands already there is no line: nothing would happen.
        if (!isElsewhere(held, place)) setTarget(undefined);
        else if (target?.key !== key || target.side !== side) setTarget({ key, side });
      },
      onDrop(event) {
        if (!held) return;
        event.preventDefault();
        // The line may not be drawn yet: a hand is quicker than a busy page.
        const [, place] = placeAt(event);
        if (isElsewhere(held, place)) moveChannel(chat, held, place, words.notMoved);
        end();
      },
      onDragEnd: end,
    });

    return {
      forRow: (channel, next) => ({
        ...hand(channel.id, (event) => besideRow(event, channel, next)),
        onDragStart(event) {
          takeInHand(event, channel);
          setHeld(channel);
        },
      }),
      forCategory: (category, first) =>
        hand(`category ${category}`, () => ["after", { category, before: first?.id }]),
    };
  }, [chat, words, held, target]);
}

function takeInHand(
  { dataTransfer, currentTarget, clientX, clientY }: DragEvent<HTMLElement>,
  { id }: Channel,
): void {
  dataTransfer.setData(kind, id);
  dataTransfer.effectAllowed = "move";
  // Of a link the browser would show its address.
  const { left, top } = currentTarget.getBoundingClientRect();
  dataTransfer.setDragImage(currentTarget, clientX - left, clientY - top);
}

function besideRow(
  event: DragEvent<HTMLElement>,
  channel: Channel,
  next: Channel | undefined,
): [Side, Place] {
  return isUpperHalf(event)
    ? ["before", { category: channel.category, before: channel.id }]
    : ["after", { category: channel.category, before: next?.id }];
}

function isUpperHalf({ clientY, currentTarget }: DragEvent<HTMLElement>): boolean {
  const { top, height } = currentTarget.getBoundingClientRect();
  return clientY <= top + height / 2;
}
