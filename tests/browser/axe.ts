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

/** Its script comes by the debugger: the page's own policy would refuse it. */
async function findings(page: Page, within: string): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  // What is still fading in has another colour than it will have.
  await page.evaluate(
    "Promise.all(document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity).map(({ finished }) => finished.catch(() => {})))",
  );
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
