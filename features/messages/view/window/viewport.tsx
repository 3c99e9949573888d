// The scrolling part of a room: renders the visible rows and a few around them, and keeps the reader's view in place.
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useContext,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from "react";
import {
  type CustomContainerComponentProps,
  type CustomItemComponentProps,
  Virtualizer,
  type VirtualizerHandle,
} from "virtua";
import { afterwards } from "../../../../web/ui/loading/later.tsx";
import { type Keyed, planOf } from "./row-plan.ts";
import { type Place, type Seen, Steady } from "./steady.ts";
import styles from "./viewport.module.css";

/** There is nothing to restore before the first message. */
const sizes = afterwards(() => import("./sizes.ts"));

/** How far beyond the visible part rows are rendered, in pixels: under eighty of the smallest rows in a tall window. */
const besidePx = 160;

interface Props<R extends Keyed> {
  /** The key under which row heights are remembered. */
  id: string;
  label: string;
  rows: readonly R[];
  /** True if the last row is the newest of all. */
  isWhole: boolean;
  /** The position at which the list opens. */
  start: Place;
  /** Rows that stay rendered wherever they are: those in use, the one being edited, selected ones. */
  kept: readonly string[];
  children(row: R): ReactNode;
  onMove(seen: Seen): void;
  onKeyDown(event: KeyboardEvent): void;
  ref: Ref<ViewportHandle>;
}

export interface ViewportHandle {
  goTo(place: Place): void;
  readonly place: Place;
  readonly steady: Steady | undefined;
}

export function MessageViewport<R extends Keyed>(props: Props<R>) {
  const { label, kept, children, onKeyDown } = props;
  const { scroller, list, now, isShift, settle, scrolled, focusMoved } = useHeld(props);
  const [known] = useState(() => sizes.known()?.sizesOf(props.id, now));
  const indexes = kept.map((key) => now.findIndex((row) => row.key === key)).filter((i) => i >= 0);
  // The list reads them with each of its own renders, too.
  const keptNow = { [Symbol.iterator]: () => [...indexes, ...rowsAbove(list, scroller)].values() };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows in it.
    <div ref={scroller} className={styles.scroll} onKeyDown={onKeyDown} onFocus={focusMoved}>
      <div className={styles.lead} />
      <Label value={label}>
        <Virtualizer
          ref={list}
          as={List}
          item={Item}
          data={now}
          shift={isShift}
          bufferSize={besidePx}
          keepMounted={keptNow as readonly number[]}
          {...(known && { cache: known })}
          scrollRef={scroller}
          onScroll={() => {
            scrolled();
          }}
          onResize={settle}
        >
          {(row: R) => (
            <div key={row.key} data-row-key={row.key} className={styles.row}>
              {children(row)}
            </div>
          )}
        </Virtualizer>
      </Label>
      <div className={styles.end} />
    </div>
  );
}

/**
 * Rows right above the visible part. Otherwise the list would remove them when it moves down, and create them anew once
 * it rests, with each message that arrives at the bottom.
 */
function rowsAbove(
  { current: list }: RefObject<VirtualizerHandle | null>,
  { current: scroller }: RefObject<HTMLElement | null>,
): readonly number[] {
  if (!list || scroller?.dataset.isThere === undefined) return [];
  const first = list.findItemIndex(list.scrollOffset - besidePx);
  const last = list.findItemIndex(list.scrollOffset);
  return Array.from({ length: last - first }, (_, i) => first + i);
}

/** Renders the rows, and keeps the reader's position through all changes. */
function useHeld<R extends Keyed>({ id, rows, isWhole, start, onMove, ref }: Props<R>) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const steady = useRef<Steady>(undefined);
  const drawn = useRef<readonly R[]>(rows);
  const [, drawRest] = useReducer((n: number) => n + 1, 0);
  const { now, isShift } = planOf(drawn.current, rows, steady.current?.watched ?? []);
  // Until the list knows its height, the rows it reports as visible are wrong.
  const move = () => steady.current && list.current?.viewportSize && onMove(steady.current.seen);
  const latestMove = useRef(move);
  latestMove.current = move;
  const settle = () => {
    steady.current?.settle();
    move();
  };

  const leave = useRef<() => void>(undefined);
  /** A second jump before the first has ended replaces it. */
  const goTo = (place: Place) => {
    const held = steady.current;
    if (!held) return;
    leave.current?.();
    held.goTo(place);
    leave.current = afterFrames(3, () => {
      held.arrived();
      held.scroller.dataset.isThere = "";
      latestMove.current();
    });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: where it opens is said once.
  useLayoutEffect(() => {
    const [element, handle] = [scroller.current, list.current];
    if (!element || !handle) return;
    const held = new Steady(element, handle);
    steady.current = held;
    held.take(drawn.current, isWhole);
    goTo(start);
    return () => {
      leave.current?.();
      sizes.known()?.noteSizes(id, drawn.current, handle.cache);
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what it does when rows changed is the same each time.
  useLayoutEffect(() => {
    drawn.current = now;
    steady.current?.take(now, isWhole);
    if (now !== rows) drawRest();
    // Settling renders the list again, which is not possible during a render; a microtask still runs before paint.
    queueMicrotask(settle);
  }, [now, rows, isWhole]);

  useImperativeHandle(ref, () => ({
    goTo,
    get place() {
      return steady.current?.place ?? start;
    },
    get steady() {
      return steady.current;
    },
  }));

  const scrolled = () => {
    if (steady.current?.scrolled()) move();
  };
  const focusMoved = () => steady.current?.focusMoved();
  return { scroller, list, now, isShift, settle, scrolled, focusMoved };
}

const Label = createContext("");

function List({ ref, style, children }: CustomContainerComponentProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list without the looks of one.
    <div ref={ref} role="list" aria-label={useContext(Label)} className={styles.list} style={style}>
      {children}
    </div>
  );
}

function Item({ ref, style, children }: CustomItemComponentProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as its list.
    <div ref={ref} role="listitem" style={style}>
      {children}
    </div>
  );
}

/** Calls `run` after `count` frames. Returns the function that cancels it. */
function afterFrames(count: number, run: () => void): () => void {
  let frame = requestAnimationFrame(function next() {
    if (--count <= 0) run();
    else frame = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(frame);
}
