// A page that hears keys and nothing else: a mouse is refused, and after each key something has the focus and is seen to.
import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import type { Watched } from "./watched.ts";

/** Stops every pointer before the page hears of it, and complains, which fails the test. A key's click has no count. */
const refuseMouse = `
  for (const type of ["pointerdown", "pointerup", "mousedown", "mouseup", "mousemove", "pointermove", "click", "auxclick", "dblclick", "wheel", "touchstart"])
    addEventListener(type, (event) => {
      if (!event.isTrusted || (type === "click" && event.detail === 0)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      console.error("a mouse was used: " + type);
    }, { capture: true, passive: false });
`;

/** Returns what is wrong with the focus; the empty text where it is somewhere and one sees where. */
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

/** For a page: whether no element has the focus for four frames; a menu or dialog that closes gives it back within these. */
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

  /** Presses one key after the other; when it returns, the focus is somewhere and is seen. */
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

  /** Writes into a field that Tab leads to, in place of what is in it. */
  async write(label: string, text: string): Promise<void> {
    await this.tabTo(this.page.getByRole("textbox", { name: label, exact: true }));
    await this.press("Control+a");
    await this.type(text);
  }

  /** Goes from control to control until this one has the focus. At the end of the page Tab leaves it, and comes back. */
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

  /** Goes to a control and presses it. */
  async use(wanted: Locator, key = "Enter"): Promise<void> {
    await this.tabTo(wanted);
    await this.page.keyboard.press(key);
  }

  /** Waits until this has the focus by itself: what closes gives it back. */
  async expectAt(wanted: Locator): Promise<void> {
    await wanted.and(this.page.locator(":focus")).waitFor();
    await this.expectFocus();
  }

  /** Opens something from a control and leaves it by Escape: the focus is in it, and then back where it was. */
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

  /** What a closing part gives back may come a frame later. */
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
