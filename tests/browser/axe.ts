// Accessibility faults that axe finds in a page, in each theme and at each given width.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** The disabled rule is experimental: it takes the status below the name of the button "You" for its label. */
const allRules = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: { "label-content-name-mismatch": { enabled: false } },
};
/** The rules that a theme can affect: all others have the same result in each. */
const rulesOfSight = { runOnly: { type: "rule", values: ["color-contrast", "target-size"] }, preload: false };

/** Counts the animations that begin from now on. */
const countAnimations = `
  window.__begun = 0;
  for (const type of ["animationstart", "transitionrun"])
    addEventListener(type, () => window.__begun++, { capture: true });
`;

/**
 * A script for a page. An element that is fading in does not have its final colour: finite animations are finished
 * first, and one may begin with the next frame. Faults found while an animation began are checked again. With touch,
 * a dialog with a text field is masked until the keyboard of the device is open, or 600 ms have passed without one.
 */
const look = `async (within, options) => {
  const passing = () => document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity);
  const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (let tries = 0; ; tries++) {
    do {
      for (const each of passing()) each.finish();
      await twoFrames();
    } while (passing().length > 0 || document.querySelector("[data-rac][style*=mask-image]"));
    const begun = window.__begun;
    const { violations } = await axe.run(within, { ...options, resultTypes: ["violations"] });
    if (violations.length > 0 && tries < 5 && begun !== window.__begun) continue;
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
    }));
  }
}`;

/** Injects axe by the debugger: the page's own policy would refuse the script. */
async function findings(page: Page, within: string, options: object): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source + countAnimations);
  const found = await page.evaluate<Finding[]>(
    `(${look})(${JSON.stringify(within)}, ${JSON.stringify(options)})`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`),
  );
}

const looks = [
  { name: "light", media: { colorScheme: "light", contrast: "no-preference" }, rules: allRules },
  { name: "dark", media: { colorScheme: "dark", contrast: "no-preference" }, rules: rulesOfSight },
  { name: "contrast", media: { colorScheme: "dark", contrast: "more" }, rules: rulesOfSight },
] as const;

/** Fails where a page at one of these widths is not built by axe's best practices: landmarks, headings, names. */
export async function expectBestPractices(page: Page, widths: readonly number[]): Promise<void> {
  const size = page.viewportSize();
  const wrong: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const found = await findings(page, "html", { runOnly: ["best-practice"] });
    wrong.push(...found.map((each) => `${width}: ${each}`));
  }
  if (size) await page.setViewportSize(size);
  expect(wrong).toEqual([]);
}

/**
 * Fails on faults in light, dark or contrast, on a phone or a desktop; `within` selects a part of the page, and `foreign`
 * names rules that the markup of others on it breaks.
 */
export async function expectNoBarriers(
  page: Page,
  widths: readonly number[] = [360, 1280],
  within = "html",
  foreign: readonly string[] = [],
): Promise<void> {
  const size = page.viewportSize();
  const wrong: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const { name, media, rules } of looks) {
      await page.emulateMedia(media);
      const found = await findings(page, within, rules);
      const own = found.filter((each) => !foreign.includes(each.slice(0, each.indexOf(" "))));
      wrong.push(...own.map((each) => `${name}, ${width}: ${each}`));
    }
  }
  await page.emulateMedia({ colorScheme: null, contrast: null });
  if (size) await page.setViewportSize(size);
  expect(wrong).toEqual([]);
}
