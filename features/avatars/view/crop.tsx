// The picture with the square in it that is cut out: dragged and stretched by a pointer, moved and sized by keys.
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from "react";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./picture.module.css";
import { type Corner, largest, moved, type Sides, type Square, sized, stretched } from "./square.ts";

interface Props {
  picture: Sides & { src: string };
  square: Square;
  /** The id of the sentence that tells the keys. */
  describedBy: string;
  onChange(square: Square): void;
}

interface Drag {
  /** A second finger changes nothing. */
  pointerId: number;
  from: { x: number; y: number };
  square: Square;
  corner: Corner | undefined;
}

const corners: readonly Corner[] = [
  { across: -1, down: -1 },
  { across: 1, down: -1 },
  { across: -1, down: 1 },
  { across: 1, down: 1 },
];

export function Crop({ picture, square, describedBy, onChange }: Props) {
  const { avatars: words } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const drag = useDrag({ picture, square, box, onChange });
  const press = (event: KeyboardEvent) => {
    const next = afterKey(event, square, picture);
    if (!next) return;
    event.preventDefault();
    onChange(next);
  };
  const { x, y, size } = square;
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <div className={styles.well}>
      <div ref={box} className={styles.crop} style={{ "--ratio": picture.width / picture.height }}>
        <img src={picture.src} alt="" draggable={false} />
        <button
          type="button"
          aria-label={words.square}
          aria-describedby={describedBy}
          className={styles.square}
          style={{
            left: share(x, picture.width),
            top: share(y, picture.height),
            width: share(size, picture.width),
            height: share(size, picture.height),
          }}
          {...drag}
          onKeyDown={press}
        >
          {corners.map(({ across, down }, i) => (
            <span
              key={`${across} ${down}`}
              data-corner={i}
              className={styles.corner}
              style={{ left: across < 0 ? "0%" : "100%", top: down < 0 ? "0%" : "100%" }}
            />
          ))}
        </button>
      </div>
    </div>
  );
}

/** Drags the square, or one of its corners, by one pointer at a time. */
function useDrag({
  picture,
  square,
  box,
  onChange,
}: Omit<Props, "describedBy"> & { box: RefObject<HTMLElement | null> }) {
  const drag = useRef<Drag>(undefined);
  const grab = (event: PointerEvent<HTMLButtonElement>) => {
    if (drag.current || event.button !== 0) return;
    const { corner } = (event.target as HTMLElement).dataset;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = {
      pointerId: event.pointerId,
      from: { x: event.clientX, y: event.clientY },
      square,
      corner: corner === undefined ? undefined : corners[Number(corner)],
    };
  };
  const pull = ({ clientX, clientY, pointerId }: PointerEvent) => {
    const { current } = drag;
    const width = box.current?.getBoundingClientRect().width;
    if (current?.pointerId !== pointerId || !width) return;
    const scale = picture.width / width;
    const [dx, dy] = [(clientX - current.from.x) * scale, (clientY - current.from.y) * scale];
    onChange(
      current.corner
        ? stretched(current.square, current.corner, [dx, dy], picture)
        : moved(current.square, dx, dy, picture),
    );
  };
  const letGo = ({ pointerId }: PointerEvent) => {
    if (drag.current?.pointerId === pointerId) drag.current = undefined;
  };
  return { onPointerDown: grab, onPointerMove: pull, onPointerUp: letGo, onPointerCancel: letGo };
}

/** Arrows move the square by one per cent of the picture, with Shift by ten; plus and minus size it. */
function afterKey(event: KeyboardEvent, square: Square, sides: Sides): Square | undefined {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  // These are the browser's: its zoom, or back.
  if (ctrlKey || metaKey || altKey) return undefined;
  const step = (whole: number, share: number) => Math.max(1, Math.round(whole * share));
  const share = shiftKey ? 0.1 : 0.01;
  const [across, down] = [step(sides.width, share), step(sides.height, share)];
  const more = step(largest(sides), 0.01);
  switch (key) {
    case "ArrowLeft":
      return moved(square, -across, 0, sides);
    case "ArrowRight":
      return moved(square, across, 0, sides);
    case "ArrowUp":
      return moved(square, 0, -down, sides);
    case "ArrowDown":
      return moved(square, 0, down, sides);
    case "+":
    case "=":
      return sized(square, square.size + more, sides);
    case "-":
    case "−":
      return sized(square, square.size - more, sides);
    default:
      return undefined;
  }
}
