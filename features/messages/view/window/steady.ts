// Keeps what a reader sees where it is, whatever comes, goes or grows around it: by the bottom, or by the rows in sight.
import type { VirtualizerHandle } from "virtua";
import type { Keyed } from "./row-plan.ts";

/** Where a reader is: at the bottom, or with a row so many pixels below the top. */
export type Place = { is: "bottom" } | { is: "row"; key: string; top: number | "third" };

/** So near to the bottom, in pixels, a reader is at the bottom. */
const bottomPx = 24;
/** Places are whole pixels of the screen; smaller differences are its rounding. */
const roundingPx = 1;

interface Anchor {
  key: string;
  top: number;
}

export interface Seen {
  isAtBottom: boolean;
  /** Indexes of the first and the last row in sight. */
  first: number;
  last: number;
  /** Pixels that are loaded above and below what is in sight. */
  above: number;
  below: number;
}

export class Steady {
  readonly scroller: HTMLElement;
  readonly #list: VirtualizerHandle;
  #rows: readonly Keyed[] = [];
  #places = new Map<string, number>();
  /** Rows in sight, the best to hold on to first; undefined: the bottom is held. */
  #anchors: readonly Anchor[] | undefined;
  /** As long as rows around a place that was jumped to are measured. */
  #isArriving = false;
  /** Whether the last row is the newest of all: only there the bottom is held. */
  #isWhole = true;
  #written = Number.NaN;

  constructor(scroller: HTMLElement, list: VirtualizerHandle) {
    this.scroller = scroller;
    this.#list = list;
  }

  /** Keys of the rows that are held, the best first. */
  get watched(): readonly string[] {
    return this.#anchors?.map(({ key }) => key) ?? [];
  }

  get place(): Place {
    const [anchor] = this.#anchors ?? [];
    return anchor ? { is: "row", ...anchor } : { is: "bottom" };
  }

  /** Takes the rows that are drawn now. */
  take(rows: readonly Keyed[], isWhole: boolean): void {
    this.#isWhole = isWhole;
    this.#rows = rows;
    this.#places = new Map(rows.map(({ key }, i) => [key, i]));
  }

  /** Goes to a place at once. It is held on to while the rows around it are measured. */
  goTo(place: Place): void {
    this.#isArriving = true;
    this.#anchors = undefined;
    if (place.is === "row") {
      const top = place.top === "third" ? Math.round(this.scroller.clientHeight / 3) : place.top;
      this.#anchors = [{ key: place.key, top }];
    }
    this.settle();
  }

  /** Ends the arrival: what is in sight now is what the reader sees. */
  arrived(): void {
    if (!this.#isArriving) return;
    this.#isArriving = false;
    this.#look();
  }

  /** Puts what is held where it was. Before anything is painted: after rows were drawn, and after sizes changed. */
  settle(): void {
    const target = this.#target();
    if (target === undefined) return;
    const to = Math.min(this.#bottom, Math.max(0, target));
    const by = to - this.scroller.scrollTop;
    if (Math.abs(by) >= roundingPx / 2) this.scroller.scrollTop = to;
    this.#written = this.scroller.scrollTop;
    // What was below went, as far as the bottom: there the reader is now.
    if (to < target && !this.#isArriving && this.#isWhole) this.#anchors = undefined;
    // The rows there are drawn at once, and not after the event that the browser sends with its next frame.
    if (Math.abs(by) > this.scroller.clientHeight / 4) this.scroller.dispatchEvent(new Event("scroll"));
  }

  /** Takes note of a scroll event. Returns whether it was the reader who scrolled. */
  scrolled(): boolean {
    if (Math.abs(this.scroller.scrollTop - this.#written) <= roundingPx) return false;
    this.#isArriving = false;
    this.#written = Number.NaN;
    this.#look();
    return true;
  }

  /** From now on the row that has the focus is held before all others; at the bottom that stays what is held. */
  focusMoved(): void {
    if (this.#isArriving || !this.#anchors) return;
    this.settle();
    this.#look();
  }

  /** Brings a row wholly into sight, moving as little as that takes. */
  reveal(key: string): void {
    const top = this.topOf(key);
    if (top === undefined) return;
    const most = this.scroller.clientHeight - this.heightOf(key);
    if (top >= 0 && top <= most) return;
    this.goTo({ is: "row", key, top: top < 0 ? 0 : Math.max(0, most) });
    this.#isArriving = false;
  }

  get seen(): Seen {
    const { scrollTop, clientHeight } = this.scroller;
    const start = this.#list.findItemIndex(scrollTop - this.#lead);
    const end = this.#list.findItemIndex(scrollTop - this.#lead + clientHeight);
    const below = this.#bottom - scrollTop;
    return {
      isAtBottom: this.#isWhole && below <= bottomPx,
      first: start,
      last: end,
      above: scrollTop,
      below,
    };
  }

  /** Pixels of a row's top below the upper edge of what is in sight. */
  topOf(key: string): number | undefined {
    const i = this.#places.get(key);
    return i === undefined ? undefined : this.#list.getItemOffset(i) + this.#lead - this.scroller.scrollTop;
  }

  heightOf(key: string): number {
    return this.#list.getItemSize(this.#places.get(key) ?? 0);
  }

  /** What stands before the first row where there are few of them. */
  get #lead(): number {
    const list = this.scroller.querySelector<HTMLElement>(":scope > [role=list]");
    return list?.offsetTop ?? 0;
  }

  /**
   * The place from which the end of the list is in sight. One could scroll further while a row that is not measured yet
   * is higher than the list reckons: there, beyond its end, the list would take all rows away and make them anew.
   */
  get #bottom(): number {
    const end = this.scroller.lastElementChild as HTMLElement;
    return Math.max(0, end.offsetTop + end.offsetHeight - this.scroller.clientHeight);
  }

  #target(): number | undefined {
    if (!this.#anchors) return Number.POSITIVE_INFINITY;
    for (const { key, top } of this.#anchors) {
      const now = this.topOf(key);
      if (now !== undefined) return this.scroller.scrollTop + now - top;
    }
    return undefined;
  }

  /** Rows wholly in sight, from the top; before them the one that has the focus, behind them what is cut off. */
  #look(): void {
    const { isAtBottom, first, last } = this.seen;
    this.#anchors = undefined;
    if (isAtBottom) return;
    const focused = document.activeElement?.closest<HTMLElement>("[data-row-key]")?.dataset.rowKey;
    const inSight: Anchor[] = [];
    for (const { key, isLoose } of this.#rows.slice(first, last + 1)) {
      const top = this.topOf(key);
      if (top !== undefined && !isLoose) inSight.push({ key, top });
    }
    const rank = ({ key, top }: Anchor) => (key === focused ? 0 : top >= 0 ? 1 : 2);
    this.#anchors = inSight.sort((one, other) => rank(one) - rank(other));
  }
}
