// The operations for people: Swagger UI, which shows the OpenAPI description and tries operations out.
import type { House } from "../house/house.ts";
import { asText, type HtmlPage, page } from "./html.ts";
import type { SwaggerUi } from "./swagger-ui.ts";

/** Returns the page; the files of Swagger UI are served below it. */
export function operationsPage(house: House, { script, style }: SwaggerUi): HtmlPage {
  const features = house.features.map(({ name }) => name);
  return page({
    title: "Hearth: the interface",
    head: `<link rel="stylesheet" href="${asText(style.path)}"><script src="${asText(script.path)}" defer></script>`,
    style: ownStyle,
    script: ownScript(features),
    body: `<header><nav aria-label="The descriptions"><b>Hearth</b> <a href="gateway">The gateway</a> <a href="openapi.json">openapi.json</a> <a href="asyncapi.json">asyncapi.json</a> <a href="swagger.json">swagger.json</a></nav>
<p>To try operations out, register or sign in by one of them: this browser keeps the session. Or give a token to Authorize; while one is given, the session is not sent.</p></header>
<main><noscript>This page needs scripts. The same stands in <a href="openapi.json">openapi.json</a>.</noscript></main>`,
    // The images of Swagger UI's style are data URLs in it.
    allows: { "style-src": "'self'", "script-src": "'self'", "connect-src": "'self'", "img-src": "data:" },
  });
}

/** Fixes for Swagger UI's light theme: text that is too pale to read, and an unused column for links. */
const ownStyle = `
body { margin: 0; font: 14px/1.5 sans-serif; color: #3b4151; }
.dark-mode body { color: #e4e6e6; }
.dark-mode header a, .dark-mode noscript a { color: #51a8ff; }
header, noscript { display: block; max-width: 1460px; margin: 0 auto; padding: 1rem 20px 0; box-sizing: border-box; }
header p { margin: .5rem 0 0; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.swagger-ui .info { margin: 30px 0; }
.swagger-ui .info table tbody tr td { padding: 3px 0; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #565d6b; }
.swagger-ui .json-schema-2020-12__constraint--string { background-color: #805600; }
`;

/**
 * Swagger UI's dark theme is a class, so the script sets it to follow the system. Old anchors of single operations and
 * events, from a page that held everything, are redirected to their current places.
 */
function ownScript(features: readonly string[]): string {
  return `
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();
const anchor = location.hash.slice(1);
if (/^(gateway|events|close-codes|event-\\w+)$/.test(anchor)) location.replace("gateway#" + anchor);
addEventListener("DOMContentLoaded", async () => {
  const spec = await (await fetch("openapi.json")).json();
  const named = Object.values(spec.paths).flatMap(Object.values).find((each) => each.operationId === anchor);
  if (named) location.replace("#/" + named.tags[0] + "/" + anchor);
  else if (${JSON.stringify(features)}.includes(anchor)) location.replace("#/" + anchor);
  SwaggerUIBundle({
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
});
`;
}
