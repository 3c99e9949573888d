// Markup that would run if it were taken for more than text, and the check that it did not.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { readFrom } from "./scene.ts";

/** Returns a name with markup that would run if it were not taken for text. */
export function named(what: string): string {
  return `${what} "><img src=x onerror=globalThis.hurt=1>`;
}

/** A script: whether this text is on the page, in a field, or in the name of an element. */
export function shows(text: string): string {
  return `[document.body.innerText, ...[...document.querySelectorAll("input, textarea")].map((field) => field.value), ...[...document.querySelectorAll("[aria-label], [title]")].flatMap((each) => [each.title, each.ariaLabel])].some((each) => each?.includes(${JSON.stringify(text)}))`;
}

/** Expects no element, attribute or address that only such a text could have brought, and that nothing ran. */
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
