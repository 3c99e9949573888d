// Keeps the reader's view in place while rows come, go and grow: anchored at the bottom, or at the visible rows.
import type { VirtualizerHandle } from "virtua";
import type { Keyed } from "./row-plan.ts";

/** The reader's position: at the bottom, or with a row at a distance from the top, in pixels. */
export type Place = { is: "bottom" } | { is: "row"; key: string; top: number | "third" };

/** Distance from the bottom, in pixels, that counts as being there. */
const bottomPx = 24;
/** Positions are whole pixels of the screen; smaller differences are rounding. */
const roundingPx = 1;

interface Anchor {
  key: string;
  top: number;
}

export interface Seen {
  isAtBottom: boolean;
  /** Indexes of the first and the last visible row. */
  first: number;
  last: number;
  /** Loaded pixels above and below the visible part. */
  above: number;
  below: number;
}

export class Steady {
  readonly scroller: HTMLElement;
  readonly #list: VirtualizerHandle;
  #rows: readonly Keyed[] = [];
  #places = new Map<string, number>();
  /** Visible rows, the best anchor first; undefined: the bottom is the anchor. */
  #anchors: readonly Anchor[] | undefined;
  /** Set while the rows around the target of a jump are measured. */
  #isArriving = false;
  /** True if the last row is the newest of all: only then the bottom can be the anchor. */
  #isWhole = true;
  #written = Number.NaN;

  constructor(scroller: HTMLElement, list: VirtualizerHandle) {
    this.scroller = scroller;
    this.#list = list;
  }

  /** Keys of the anchor rows, the best first. */
  get watched(): readonly string[] {
    return this.#anchors?.map(({ key }) => key) ?? [];
  }

  get place(): Place {
    const [anchor] = this.#anchors ?? [];
    return anchor ? { is: "row", ...anchor } : { is: "bottom" };
  }

  /** Takes the rows that are rendered now. */
  take(rows: readonly Keyed[], isWhole: boolean): void {
    this.#isWhole = isWhole;
    this.#rows = rows;
    this.#places = new Map(rows.map(({ key }, i) => [key, i]));
  }

  /** Jumps to a position, and keeps it while the rows around it are measured. */
  goTo(place: Place): void {
    this.#isArriving = true;
    this.#anchors = undefined;
    if (place.is === "row") {
      const top = place.top === "third" ? Math.round(this.scroller.clientHeight / 3) : place.top;
      this.#anchors = [{ key: place.key, top }];
    }
    this.settle();
  }

  /** Ends a jump: the visible rows become the anchors. */
  arrived(): void {
    if (!this.#isArriving) return;
    this.#isArriving = false;
    this.#look();
  }

  /** Moves the anchor back to its position. Called before paint, after rows were rendered and after sizes changed. */
  settle(): void {
    const target = this.#target();
    if (target === undefined) return;
    const to = Math.min(this.#bottom, Math.max(0, target));
    const by = to - this.scroller.scrollTop;
    if (Math.abs(by) >= roundingPx / 2) this.scroller.scrollTop = to;
    this.#written = this.scroller.scrollTop;
    // All rows below are gone: the reader is at the bottom now.
    if (to < target && !this.#isArriving && this.#isWhole) this.#anchors = undefined;
    // At the very top, rows that turn out lower than estimated move the anchor up: its new position counts.
    if (to > target && !this.#isArriving) this.#look();
    // Renders the rows there at once, instead of after the browser's scroll event in the next frame.
    if (Math.abs(by) > this.scroller.clientHeight / 4) this.scroller.dispatchEvent(new Event("scroll"));
  }

  /** Handles a scroll event. Returns whether the reader scrolled. */
  scrolled(): boolean {
    if (Math.abs(this.scroller.scrollTop - this.#written) <= roundingPx) return false;
    this.#isArriving = false;
    this.#written = Number.NaN;
    this.#look();
    return true;
  }

  /** Makes the row with the focus the first anchor; at the bottom, the bottom stays the anchor. */
  focusMoved(): void {
    if (this.#isArriving || !this.#anchors) return;
    this.settle();
    this.#look();
  }

  /** Scrolls a row completely into view, by as little as possible. */
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

  /** Distance of a row's top below the upper edge of the visible part, in pixels. */
  topOf(key: string): number | undefined {
    const i = this.#places.get(key);
    return i === undefined ? undefined : this.#list.getItemOffset(i) + this.#lead - this.scroller.scrollTop;
  }

  heightOf(key: string): number {
    return this.#list.getItemSize(this.#places.get(key) ?? 0);
  }

  /** Height of the space above the first row when the rows do not fill the view, in pixels. */
  get #lead(): number {
    const list = this.scroller.querySelector<HTMLElement>(":scope > [role=list]");
    return list?.offsetTop ?? 0;
  }

  /**
   * The scroll position that shows the end of the list. Scrolling further is possible while an unmeasured row is higher
   * than estimated: beyond its end the list would remove all rows and create them anew.
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

  /** Completely visible rows from the top; before them the one with the focus, after them the partly visible ones. */
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
