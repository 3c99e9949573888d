// What would run, were it more than text, and how a test sees that it did not.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { readFrom } from "./scene.ts";

/** What would run, were it taken for more than text; with the name of what is called so. */
export function named(what: string): string {
  return `${what} "><img src=x onerror=globalThis.hurt=1>`;
}

/** Whether this stands on the page: as text, in a field, or as the name of something. */
export function shows(text: string): string {
  return `[document.body.innerText, ...[...document.querySelectorAll("input, textarea")].map((field) => field.value), ...[...document.querySelectorAll("[aria-label], [title]")].flatMap((each) => [each.title, each.ariaLabel])].some((each) => each?.includes(${JSON.stringify(text)}))`;
}

/** No element, attribute or address that nobody but a text could have brought, and nothing ran. */
export async function expectHarmless(page: Page): Promise<void> {
  const wrong = `[...document.querySelectorAll("*")].filter((each) =>
    each.matches("iframe, object, embed, base, form[action], meta[http-equiv]") ||
    (each.matches("style, script:not([src])")) ||
    [...each.attributes].some(({ name }) => name.startsWith("on")) ||
    ["src", "href", "poster", "xlink:href"].some((name) => each.hasAttribute(name) && !/^(https?:|mailto:|blob:|\\/|\\.\\/|#)/.test(each.getAttribute(name))) ||
    (each.matches("img, video, audio, source, script, link") && !["", location.host].includes(new URL(each.src || each.href || location.href).host))
  ).map((each) => each.outerHTML.slice(0, 200))`;
  expect(await readFrom<string[]>(page, wrong)).toEqual([]);
  expect(await readFrom<unknown>(page, "globalThis.hurt")).toBeUndefined();
}
