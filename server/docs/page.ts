// The description for people: every operation and every event on one page that loads nothing else.
import { errorStatus } from "../../protocol/errors.ts";
import { apiPrefix, type CallerRule, type Operation, rateClasses } from "../../protocol/operation.ts";
import type { Feature } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { gatewaySections } from "./gateway.ts";
import { refusalsOf } from "./refusals.ts";
import { schemaOf } from "./schemas.ts";
import { asText, code, fieldTable, gist, parameterTable, withCode } from "./shapes.ts";
import { style, stylePolicy } from "./style.ts";
import { parametersOf } from "./swagger.ts";

const callers: Record<CallerRule, string> = {
  public: "anybody, signed in or not",
  person: "a signed-in person; bots are refused",
  account: "a signed-in person or a bot",
};

export interface DocsPage {
  body: Blob;
  /** The Content-Security-Policy that allows the page's own style, and nothing else. */
  stylePolicy: string;
}

export function docsPage(house: House): DocsPage {
  const features = house.features.filter((feature) => feature.operations.length > 0);
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hearth: the interface</title><style>${style}</style></head>
<body>${contents(features)}<main>${introduction()}${errorSection()}
${features.map(section).join("\n")}
${gatewaySections(house)}</main></body></html>
`;
  return { body: new Blob([body]), stylePolicy };
}

function contents(features: readonly Feature[]): string {
  const parts = features.map(({ name, operations }) => {
    const links = operations.map(
      ({ operation }) =>
        `<li><a href="#${operation.name}" title="${asText(operation.summary)}">${method(operation)} ${asText(operation.path)}</a></li>`,
    );
    return `<b><a href="#${asText(name)}">${title(name)}</a></b><ul>${links.join("")}</ul>`;
  });
  const ends = [
    ["gateway", "The gateway"],
    ["events", "Events"],
    ["close-codes", "Close codes"],
  ].map(([anchor, words]) => `<li><a href="#${anchor}">${words}</a></li>`);
  return `<nav aria-label="Contents"><p><a href="#top">Hearth</a> · <a href="#errors">Errors</a></p>${parts.join("")}<b>Live</b><ul>${ends.join("")}</ul></nav>`;
}

function introduction(): string {
  return `<h1 id="top">The interface</h1>
<p>All paths are below <code>${apiPrefix}</code>; bodies and answers are JSON unless they say otherwise. Ids are UUIDs, times are ISO 8601 in UTC. The same for programs: <a href="swagger.json">swagger.json</a> (Swagger 2.0).</p>
<p>A session is the cookie <code>app_session</code>, or <code>Authorization: Bearer</code> with the token that <code>X-Session-Token</code> brought. A bot sends <code>Authorization: Bot</code> with its own token. Every answer carries <code>X-Request-Id</code>; name it when you ask for help. Calls that are counted tell the limit in <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset-After</code>.</p>`;
}

function errorSection(): string {
  const rows = Object.entries(errorStatus).map(
    ([word, status]) => `<tr><td>${status}</td><td>${code(word)}</td></tr>`,
  );
  return `<section id="errors"><h2>Errors</h2><p>Every refusal has the same body: <code>error</code> is a sentence for a person, <code>code</code> a stable word for programs, <code>request_id</code> the call's id; <code>fields</code> says which fields were refused (<code>path</code>, <code>message</code>), <code>retry_after</code> and the header <code>Retry-After</code> after how many seconds a further try makes sense. What does not exist and what the caller may not know of are the same 404.</p><details><summary>All codes</summary><table class="narrow"><thead><tr><th>status</th><th>code</th></tr></thead><tbody>${rows.join("")}</tbody></table></details></section>`;
}

function section({ name, operations }: Feature): string {
  return `<section id="${asText(name)}"><h2>${title(name)}</h2>${operations.map(({ operation }) => article(operation)).join("\n")}</section>`;
}

function article(operation: Operation): string {
  const { body, bodyOptional, caller, rate, atRoot, consumes } = operation;
  const facts = [
    `For ${callers[caller]}`,
    rate && rateClasses[rate].meaning,
    atRoot && "answers at the origin's root as well",
  ].filter(Boolean);
  const places = parametersOf(operation).filter((parameter) => parameter.in !== "body");
  return `<article id="${operation.name}"><h3><a href="#${operation.name}">${method(operation)} ${code(operation.path)}</a></h3>
<p>${withCode(operation.summary)}</p><p class="quiet">${facts.map(String).map(asText).join("; ")}.</p>${part("Parameters", parameterTable(places))}${part(
    `Body${bodyOptional ? " (may be left out)" : ""}`,
    body ? fieldTable(schemaOf(body, "input")) : consumes ? `<p>${code(consumes)}</p>` : "",
  )}${part("Answers", answers(operation))}${part("Refusals", refusals(operation))}</article>`;
}

function part(words: string, content: string): string {
  return content && `<h4>${words}</h4>${content}`;
}

function answers({ answers, produces }: Operation): string {
  return Object.entries(answers)
    .map(([status, { description, body, headers }]) => {
      const names = Object.keys(headers ?? {});
      const kind =
        !body && produces && status !== "204" ? ` <span class="quiet">${asText(produces)}</span>` : "";
      const line = `<b>${status}</b> ${withCode(description)}${kind}${names.length > 0 ? `, with ${names.map(code).join(", ")}` : ""}`;
      if (!body) return `<p>${line}</p>`;
      const schema = schemaOf(body, "output");
      return `<details><summary>${line} <span class="quiet">${gist(schema)}</span></summary>${fieldTable(schema)}</details>`;
    })
    .join("");
}

function refusals(operation: Operation): string {
  const each = [...refusalsOf(operation)].map(
    ([status, words]) => `<b>${status}</b> ${words.map(code).join(" ")}`,
  );
  return `<p>${each.join(" · ")}</p>`;
}

function method({ method }: Operation): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** `password-resets` → `Password resets`. */
function title(name: string): string {
  return asText(name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " "));
}
