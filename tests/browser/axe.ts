// What axe finds wrong with a page: in each look, at each width that is asked for.
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

/** Counts the animations that begin from now on. */
const countAnimations = `
  window.__begun = 0;
  for (const type of ["animationstart", "transitionrun"])
    addEventListener(type, () => window.__begun++, { capture: true });
`;

/** An element that is still fading in has another colour than it will have; a fade may begin with the next frame. */
const untilFaded = `(async () => {
  const passing = () => document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity);
  const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  do {
    await Promise.all(passing().map(({ finished }) => finished.catch(() => {})));
    await twoFrames();
  } while (passing().length > 0);
})()`;

/** Its script comes by the debugger: the page's own policy would refuse it. */
async function findings(page: Page, within: string): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source + countAnimations);
  for (let tries = 0; ; tries++) {
    await page.evaluate(untilFaded);
    const begun = await page.evaluate("__begun");
    const found = await findingsNow(page, within);
    // What came while axe was looking was seen half faded in.
    if (found.length === 0 || tries === mostTries || begun === (await page.evaluate("__begun"))) return found;
  }
}

const mostTries = 5;

async function findingsNow(page: Page, within: string): Promise<string[]> {
  // That rule is an experiment: it takes the status below the name of the button "You" for its label.
  const found = await page.evaluate<Finding[]>(
    `axe.run(${JSON.stringify(within)}, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], rules: { "label-content-name-mismatch": { enabled: false } } }).then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })))`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`),
  );
}

const looks = [
  { name: "light", media: { colorScheme: "light", contrast: "no-preference" } },
  { name: "dark", media: { colorScheme: "dark", contrast: "no-preference" } },
  { name: "contrast", media: { colorScheme: "dark", contrast: "more" } },
] as const;

/** Fails where axe finds anything in light, dark or contrast, on a phone or a desk; `within` is a part of the page. */
export async function expectNoBarriers(
  page: Page,
  widths: readonly number[] = [360, 1280],
  within = "html",
): Promise<void> {
  const size = page.viewportSize();
  const wrong: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const { name, media } of looks) {
      await page.emulateMedia(media);
      wrong.push(...(await findings(page, within)).map((each) => `${name}, ${width}: ${each}`));
    }
  }
  await page.emulateMedia({ colorScheme: null, contrast: null });
  if (size) await page.setViewportSize(size);
  expect(wrong).toEqual([]);
}
