// A page driven by keys alone: mouse events are refused, and after each key an element has a visible focus.
import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import type { Watched } from "./watched.ts";

/** Stops every pointer event before the page, with an error that fails the test. A click by a key has no count. */
const refuseMouse = `
  for (const type of ["pointerdown", "pointerup", "mousedown", "mouseup", "mousemove", "pointermove", "click", "auxclick", "dblclick", "wheel", "touchstart"])
    addEventListener(type, (event) => {
      if (!event.isTrusted || (type === "click" && event.detail === 0)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      console.error("a mouse was used: " + type);
    }, { capture: true, passive: false });
`;

/** A script that returns the fault of the focus; an empty text if an element has it visibly. */
const focusFault = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body || at === document.documentElement) return "nothing has the focus";
  const isRinged = (element) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && !/(transparent|\\/ 0\\)|, 0\\))$/.test(outlineColor);
  };
  const inSight = (element) => {
    const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  };
  const name = (at.getAttribute("aria-label") ?? at.getAttribute("role") ?? "") + " " + at.outerHTML.slice(0, 160);
  if (!inSight(at)) return "out of sight: " + name;
  // A dialog, a menu or a heading that is read first is no control: the next key goes to one.
  if (at.tabIndex < 0 || at.matches("[role=dialog], [role=alertdialog], [role=menu], h1, h2")) return "";
  const cursor = document.getElementById(at.getAttribute("aria-activedescendant") ?? "");
  // One writes there: a caret stands in the box, whose edge is the ring of the box around it.
  const around = [at, at.parentElement, at.parentElement?.parentElement, at.closest("label"), cursor];
  if (around.some(isRinged)) return "";
  return "no ring is seen at " + name;
})()`;

/** A script: whether no element has the focus for four frames; a closing menu or dialog gives it back within these. */
const hasLeftPage = `(async () => {
  for (let frame = 0; frame < 4; frame++) {
    if (document.activeElement !== document.body) return false;
    await new Promise(requestAnimationFrame);
  }
  return true;
})()`;

export class ByKeys {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(watched: Watched, path: string, person?: TestPerson): Promise<ByKeys> {
    await watched.context.addInitScript(refuseMouse);
    return new ByKeys(await watched.page(path, person));
  }

  /** Presses the keys one by one; after each, an element has a visible focus. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.expectFocus();
    }
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    await this.expectFocus();
  }

  /** Tabs to a field and replaces its text. */
  async write(label: string, text: string): Promise<void> {
    await this.tabTo(this.page.getByRole("textbox", { name: label, exact: true }));
    await this.press("Control+a");
    await this.type(text);
  }

  /** Tabs until this control has the focus. At the end of the page Tab leaves it, and comes back. */
  async tabTo(wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    await wanted.waitFor();
    let hasLeft = false;
    for (let presses = 0; presses < 120; presses++) {
      if ((await wanted.and(this.page.locator(":focus")).count()) > 0) return this.expectFocus();
      await this.page.keyboard.press(key);
      const isOutside = await this.page.evaluate<boolean>(hasLeftPage);
      expect(isOutside && hasLeft).toBe(false);
      hasLeft ||= isOutside;
      if (!isOutside) await this.expectFocus();
    }
    throw new Error(`no Tab leads to ${wanted}`);
  }

  /** Tabs to a control and presses it. */
  async use(wanted: Locator, key = "Enter"): Promise<void> {
    await this.tabTo(wanted);
    await this.page.keyboard.press(key);
  }

  /** Waits until this element gets the focus by itself, as when an overlay closes. */
  async expectAt(wanted: Locator): Promise<void> {
    await wanted.and(this.page.locator(":focus")).waitFor();
    await this.expectFocus();
  }

  /** Opens an overlay from a control and closes it by Escape: the focus is in it, and then back where it was. */
  async lookInto(opener: Locator, overlay: Locator, key = "Enter"): Promise<void> {
    await this.use(opener, key);
    await overlay.waitFor();
    await overlay
      .locator(":focus")
      .or(overlay.and(this.page.locator(":focus")))
      .first()
      .waitFor();
    await this.expectFocus();
    await this.page.keyboard.press("Escape");
    await overlay.waitFor({ state: "detached" });
    await this.expectAt(opener);
  }

  /** A closing overlay may give the focus back a frame later. */
  async expectFocus(): Promise<void> {
    let fault = "";
    await until(async () => {
      fault = await this.page.evaluate<string>(focusFault).catch(() => "the page is going");
      return fault === "";
    }, "").catch(() => {
      throw new Error(fault);
    });
  }
}
