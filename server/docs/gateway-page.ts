// The gateway's documentation for people: a guide, every frame with its fields and an example, and the close codes.
import type { House } from "../house/house.ts";
import { closeCodes } from "./close-codes.ts";
import { exampleOf } from "./examples.ts";
import { clientFrames, type EventFrame, eventFrames, type Frame, gatewayFrames } from "./frames.ts";
import { guide } from "./guide.ts";
import { asText, code, fieldTable, type HtmlPage, page, withCode } from "./html.ts";
import { asyncapiDialect, type Direction, schemaOf } from "./schemas.ts";
import { swaggerDialect } from "./swagger-schemas.ts";

/** `style` is the path of the style, if there is one. */
export function gatewayPage(house: House, style: string | undefined): HtmlPage {
  const events = Map.groupBy(eventFrames(house), ({ feature = "" }) => feature);
  const said = {
    client: clientFrames(house).map((frame) => article(`say-${anchor(frame)}`, frame, "input")),
    gateway: gatewayFrames(house).map((frame) => article(`hear-${anchor(frame)}`, frame, "output")),
    events: [...events.values()].flat().map((event) => article(`event-${anchor(event)}`, event, "output")),
  };
  const body = `<div class="gateway">${contents(house, events)}<main><h1 id="top">The gateway</h1>
<p>What happens, as it happens. For programs: <a href="asyncapi.json">asyncapi.json</a> (AsyncAPI 3.0). What changes something goes over HTTP: <a href="./">the interface</a>.</p>
<section id="gateway">${chapters()}</section>
<section id="say"><h2>What a client says</h2>${said.client.join("")}</section>
<section id="hear"><h2>What the gateway says, besides the events</h2>${said.gateway.join("")}</section>
<section id="events"><h2>Events</h2>${said.events.join("")}</section>
<section id="close-codes"><h2>Close codes</h2>${closeCodeTable()}</section></main></div>`;
  return page({ title: "Hearth: the gateway", at: "gateway", style, body });
}

function anchor({ type }: Frame): string {
  return type.toLowerCase();
}

function chapters(): string {
  return guide
    .map(({ title, text }) => `<h2>${title}</h2>${text.map((each) => `<p>${withCode(each)}</p>`).join("")}`)
    .join("");
}

function contents(house: House, events: ReadonlyMap<string, readonly EventFrame[]>): string {
  const links = (prefix: string, frames: readonly Frame[]) =>
    list(frames.map((frame) => [`${prefix}-${anchor(frame)}`, frame.type]));
  const byFeature = [...events].map(
    ([feature, frames]) => `<b>${asText(title(feature))}</b>${links("event", frames)}`,
  );
  return `<nav class="contents" aria-label="Contents">${list([
    ["gateway", "How a client lives with it"],
    ["close-codes", "Close codes"],
  ])}<b><a href="#say">A client says</a></b>${links("say", clientFrames(house))}<b><a href="#hear">The gateway says</a></b>${links("hear", gatewayFrames(house))}${byFeature.join("")}</nav>`;
}

function list(links: readonly (readonly [anchor: string, words: string])[]): string {
  return `<ul>${links.map(([to, words]) => `<li><a href="#${to}">${words}</a></li>`).join("")}</ul>`;
}

/** `password-resets` → `Password resets`. */
function title(feature: string): string {
  return feature.charAt(0).toUpperCase() + feature.slice(1).replaceAll("-", " ");
}

function article(id: string, frame: Frame | EventFrame, direction: Direction): string {
  const heard = "heardBy" in frame ? `<p class="quiet">${hearing(frame)}</p>` : "";
  const { data } = schemaOf(swaggerDialect, frame.shape, direction).properties as { data: object };
  const example = exampleOf(schemaOf(asyncapiDialect, frame.shape, direction));
  return `<article id="${id}"><h3><a href="#${id}">${code(frame.type)}</a></h3><p>${withCode(frame.summary)}.</p>${heard}${fieldTable({ ...data })}<details><summary>Example</summary><pre><code>${asText(JSON.stringify(example, null, 2))}</code></pre></details></article>`;
}

function hearing({ heardBy, live }: EventFrame): string {
  const kept = live ? "Live only, without <code>seq</code>." : "Kept, and told again after a resume.";
  return `Heard by ${heardBy}. ${kept}`;
}

function closeCodeTable(): string {
  const rows = closeCodes.map(
    ({ code: number, reasons, remedy }) =>
      `<tr><td>${code(String(number))}</td><td>${reasons.map(asText).join("<br>")}</td><td>${asText(remedy)}</td></tr>`,
  );
  return `<table class="codes"><thead><tr><th>code</th><th>why</th><th>what a client does</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}
