// The operations for people: Swagger UI, which shows the OpenAPI description and tries operations out.
import type { House } from "../house/house.ts";
import { asText, type HtmlPage, hashOf, page } from "./html.ts";
import type { SwaggerUi } from "./swagger-ui.ts";

/** Returns the page; the files of Swagger UI are served below it. `ownStyle` is the path of our style, if there is one. */
export function operationsPage(
  house: House,
  { script, style }: SwaggerUi,
  ownStyle: string | undefined,
): HtmlPage {
  const features = house.features.map(({ name }) => name);
  // In a layer below ours, so that ours decides.
  const inLayer = `@import url("${asText(style.path)}") layer(base);`;
  return page({
    title: "Hearth: the interface",
    at: "./",
    head: `<style>${inLayer}</style><script src="${asText(script.path)}" defer></script>`,
    style: ownStyle,
    script: attributesScript + ownScript(features),
    body: `<section class="lead" aria-label="Trying operations out">To try operations out, register or sign in by one of them: this browser keeps the session. Or give a token to Authorize; while one is given, the session is not sent.</section>
<main><noscript>This page needs scripts. The same stands in <a href="openapi.json">openapi.json</a>.</noscript></main>`,
    // The images of Swagger UI's style are data URLs in it.
    allows: {
      "style-src": hashOf(inLayer),
      "script-src": "'self'",
      "connect-src": "'self'",
      "img-src": "data:",
    },
  });
}

/**
 * Attributes that Swagger UI's markup lacks: the name of a field, levels of headings without a gap, and the focus for
 * code that scrolls.
 */
const attributes = [
  ["#servers", "aria-label", "Server"],
  ["main h3", "aria-level", "2"],
  ["main h4", "aria-level", "3"],
  ["main h5", "aria-level", "4"],
  [".highlight-code > .microlight", "tabindex", "0"],
];

/** Sets them on whatever Swagger UI draws, which is what is in sight. */
const attributesScript = `
addEventListener("DOMContentLoaded", () => {
  new MutationObserver(() => {
    for (const [selector, name, value] of ${JSON.stringify(attributes)})
      for (const each of document.querySelectorAll(selector)) each.setAttribute(name, value);
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
});
`;

/**
 * Swagger UI's dark theme is a class, so the script sets it to follow the chosen theme, or the system. Old anchors of
 * single operations and events, from a page that held everything, are redirected to their current places. Swagger UI
 * draws only operations in sight, and scrolls to the one in the address by estimated heights: on a slow machine it
 * stops beside it, so the script repeats that until the operation is in sight, or its reader does something.
 */
function ownScript(features: readonly string[]): string {
  return `
const dark = matchMedia("(prefers-color-scheme: dark)");
const more = matchMedia("(prefers-contrast: more)");
const isDark = (chosen) => (chosen ? chosen !== "light" : dark.matches || more.matches);
const paint = () => {
  const { classList, dataset } = document.documentElement;
  classList.toggle("dark-mode", isDark(dataset.theme));
};
dark.addEventListener("change", paint);
more.addEventListener("change", paint);
paint();
const anchor = location.hash.slice(1);
if (/^(gateway|events|close-codes|event-\\w+)$/.test(anchor)) location.replace("gateway#" + anchor);
addEventListener("DOMContentLoaded", async () => {
  const spec = await (await fetch("openapi.json")).json();
  const named = Object.values(spec.paths).flatMap(Object.values).find((each) => each.operationId === anchor);
  if (named) location.replace("#/" + named.tags[0] + "/" + anchor);
  else if (${JSON.stringify(features)}.includes(anchor)) location.replace("#/" + anchor);
  const ui = SwaggerUIBundle({
    spec,
    domNode: document.querySelector("main"),
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    requestInterceptor(request) {
      if (request.headers.Authorization) request.credentials = "omit";
      return request;
    },
  });
  const [, , operation] = location.hash.split("/");
  const isInSight = () => {
    const box = document.querySelector('[id$="-' + CSS.escape(operation) + '"]')?.getBoundingClientRect();
    return box && box.bottom > 0 && box.top < innerHeight;
  };
  const { hash } = location;
  let [tries, left] = [operation ? 10 : 0, scrollY];
  const timer = setInterval(() => {
    const isMoved = tries < 10 && Math.abs(scrollY - left) > 1;
    if (tries-- <= 0 || isInSight() || isMoved || location.hash !== hash) clearInterval(timer);
    else {
      ui.layoutActions.parseDeepLinkHash(hash);
      // Its own scrolling takes up to a second.
      setTimeout(() => (left = scrollY), 1500);
    }
  }, 2000);
});
`;
}
