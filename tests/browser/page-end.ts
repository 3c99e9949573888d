// Finds overflow of a page: parts that scroll and should not, and scroll bars without a need.
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";

/** Code and the strip of servers may scroll sideways. */
const isMeantSideways = "pre, [data-region=servers] > div";

/** A script that returns a sentence for each visible fault. */
const look = `(() => {
  const faults = [];
  const root = document.documentElement;
  const nameOf = ({ tagName, id, classList }) => [tagName.toLowerCase(), id && "#" + id, ...classList].filter(Boolean).join(" ");
  scrollTo(100, 100);
  if (scrollX !== 0 || scrollY !== 0) faults.push("the document scrolls by " + scrollX + ", " + scrollY);
  scrollTo(0, 0);
  if (root.clientWidth < innerWidth || root.clientHeight < innerHeight) faults.push("a bar of the document takes room");
  for (const element of document.querySelectorAll("body *")) {
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    if (!/auto|scroll/.test(style.overflowX + style.overflowY)) continue;
    const { offsetWidth, offsetHeight, clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
    const beside = offsetWidth - clientWidth - parseFloat(style.borderLeftWidth) - parseFloat(style.borderRightWidth);
    const below = offsetHeight - clientHeight - parseFloat(style.borderTopWidth) - parseFloat(style.borderBottomWidth);
    if (beside > 1 && scrollHeight <= clientHeight) faults.push("a bar for nothing beside " + nameOf(element));
    if (below > 1 && scrollWidth <= clientWidth) faults.push("a bar for nothing below " + nameOf(element));
    if (scrollWidth > clientWidth && !element.matches(${JSON.stringify(isMeantSideways)}))
      faults.push(nameOf(element) + " scrolls sideways by " + (scrollWidth - clientWidth));
    // An element positioned by an ancestor of the scroller does not scroll with it, and may lie below the page's end.
    const isFree = (each) => getComputedStyle(each).position === "absolute" && each.offsetParent && !element.contains(each.offsetParent);
    for (const each of element.querySelectorAll(".visually-hidden"))
      if (isFree(each)) faults.push(nameOf(element) + " does not hold " + nameOf(each) + ": " + each.textContent);
  }
  return faults;
})()`;

/** Expects the page to end where its window does, once it rests. */
export async function expectPageEnds(page: Page, where: string): Promise<void> {
  await eventually(async () => ({ where, faults: await page.evaluate<string[]>(look) })).toEqual({
    where,
    faults: [],
  });
}

/** The same in windows of these sizes. */
export async function expectPageEndsAt(
  page: Page,
  where: string,
  windows: readonly (readonly [width: number, height: number])[],
): Promise<void> {
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height });
    await expectPageEnds(page, `${where} at ${width} × ${height}`);
  }
}
