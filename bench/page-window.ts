// A window of a browser with the page, in whichever engine: how long it takes to show things, and what they cost it.
import type { Person } from "./people.ts";

export interface PageBrowser extends AsyncDisposable {
  /** A window of a browser of this person's own, that has never been here. */
  open(origin: string, person: Person): Promise<PageWindow>;
}

export interface PageWindow extends AsyncDisposable {
  /** Opens an address. Returns the milliseconds from there to the frame that shows what is looked for. */
  visit(path: string, selector: string): Promise<number>;
  /** Resolves once such an element is there. */
  attached(selector: string): Promise<unknown>;
  click(selector: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Turns the wheel over the middle of the window. */
  wheel(deltaY: number): Promise<void>;
  /** Returns the times (ms) from each key to the end of the frame that shows it, since it was last asked; the longest first. */
  keys(): Promise<number[]>;
  /** Returns for how long (ms) the page's own thread read, styled and laid out so far. */
  busyMs(): Promise<number>;
}
