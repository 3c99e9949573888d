// Drag and drop of channels: the dragged channel, and its drop target.
import { type DragEvent, useMemo, useRef, useState } from "react";
import type { Chat } from "../../../client/chat.ts";
import { afterwards } from "../../../web/ui/loading/later.tsx";
import { tellNotLoaded } from "../../../web/ui/loading/not-loaded.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel, OwnChannels } from "../state.ts";
import type { Place } from "./placing.ts";

/** The data type of a dragged channel, to tell it from text dragged from elsewhere. */
const kind = "application/x-hearth-channel";

const moving = afterwards(() => import("./moving.ts"));

function move(chat: Chat, channel: OwnChannel, place: Place, failed: string): void {
  moving.ask().then(({ moveChannel }) => moveChannel(chat, channel, place, failed), tellNotLoaded);
}

/** Until this is loaded, any place seems to be another one: a move to the same place then changes nothing. */
function isElsewhere(channels: OwnChannels, channel: OwnChannel, place: Place): boolean {
  return moving.known()?.isElsewhere(channels, channel, place) ?? true;
}

type Side = "before" | "after";

/** The drag state and handlers of a row, or of the head of a category. */
export interface Hand {
  /** The side on which the dragged channel would be dropped. */
  target: Side | undefined;
  /** True if this is the dragged channel. */
  isHeld: boolean;
  onDragStart(event: DragEvent<HTMLElement>): void;
  onDragOver(event: DragEvent<HTMLElement>): void;
  onDrop(event: DragEvent<HTMLElement>): void;
  onDragEnd(): void;
}

/** Stays the same object until the drag moves elsewhere, so that rows render again for nothing else. */
export interface Dragging {
  /** `next` is the next channel in the same category. */
  forRow(channel: OwnChannel, next: OwnChannel | undefined): Hand;
  /** For the head of a category: dropping there puts the channel at its beginning. */
  forCategory(category: string | null, first: OwnChannel | undefined): Hand;
}

interface Target {
  key: string;
  side: Side;
}

export function useDragging(channels: OwnChannels): Dragging {
  const { chat } = useHouse();
  const { channels: words } = useWords();
  const [held, setHeld] = useState<OwnChannel>();
  const [target, setTarget] = useState<Target>();
  const now = useRef(channels);
  now.current = channels;
  return useMemo(() => {
    const end = () => {
      setHeld(undefined);
      setTarget(undefined);
    };

    const hand = (key: string, placeAt: (event: DragEvent<HTMLElement>) => [Side, Place]): Hand => ({
      target: target?.key === key ? target.side : undefined,
      isHeld: held?.id === key,
      onDragStart() {},
      onDragOver(event) {
        if (!held || !event.dataTransfer.types.includes(kind)) return;
        event.preventDefault();
        const [side, place] = placeAt(event);
        // No line at the current place: a drop there would change nothing.
        if (!isElsewhere(now.current, held, place)) setTarget(undefined);
        else if (target?.key !== key || target.side !== side) setTarget({ key, side });
      },
      onDrop(event) {
        if (!held) return;
        event.preventDefault();
        // The target may not be rendered yet: a hand is quicker than a busy page.
        const [, place] = placeAt(event);
        if (isElsewhere(now.current, held, place)) move(chat, held, place, words.notMoved);
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
  { id }: OwnChannel,
): void {
  dataTransfer.setData(kind, id);
  dataTransfer.effectAllowed = "move";
  // For a link, the browser would show its address.
  const { left, top } = currentTarget.getBoundingClientRect();
  dataTransfer.setDragImage(currentTarget, clientX - left, clientY - top);
}

function besideRow(
  event: DragEvent<HTMLElement>,
  channel: OwnChannel,
  next: OwnChannel | undefined,
): [Side, Place] {
  return isUpperHalf(event)
    ? ["before", { category: channel.category, before: channel.id }]
    : ["after", { category: channel.category, before: next?.id }];
}

function isUpperHalf({ clientY, currentTarget }: DragEvent<HTMLElement>): boolean {
  const { top, height } = currentTarget.getBoundingClientRect();
  return clientY <= top + height / 2;
}
