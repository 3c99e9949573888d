// A browser window with the page, in any engine: how long elements take to appear, and what they cost.
import type { Person } from "./people.ts";

export interface PageBrowser extends AsyncDisposable {
  /** Opens a window without stored data, signed in as this person. */
  open(origin: string, person: Person): Promise<PageWindow>;
}

export interface PageWindow extends AsyncDisposable {
  /** Opens an address. Returns the milliseconds until the frame that shows the selector. */
  visit(path: string, selector: string): Promise<number>;
  /** Resolves once an element matches. */
  attached(selector: string): Promise<unknown>;
  click(selector: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Turns the wheel over the middle of the window. */
  wheel(deltaY: number): Promise<void>;
  /** Returns the latencies (ms) of the keys since the last call, each up to the frame that shows it; longest first. */
  keys(): Promise<number[]>;
  /** Returns how long (ms) the page's main thread has run scripts, styled and laid out so far. */
  busyMs(): Promise<number>;
}
