// The description for people: every operation on one page, with nothing loaded from anywhere.
import type { House } from "./house.ts";

export function docsPage(house: House): string {
  const sections = house.features
    .filter((feature) => feature.operations.length > 0)
    .map(({ name, operations }) => {
      const rows = operations.map(({ operation }) => {
        const answers = Object.entries(operation.answers).map(
          ([status, each]) => `${status} ${each.description}`,
        );
        return `<tr><td><code>${operation.method}</code></td><td><code>${asText(operation.path)}</code></td><td>${asText(operation.summary)}</td><td>${asText(operation.caller)}</td><td>${asText(answers.join("; "))}</td></tr>`;
      });
      return `<h2>${asText(name)}</h2><table><tr><th>method</th><th>path</th><th>what it does</th><th>caller</th><th>answers</th></tr>${rows.join("")}</table>`;
    });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Hearth: the interface</title>
<h1>The interface</h1>
<p>All paths are below <code>/api/v1</code>. Shapes, limits and errors of every operation:
<a href="swagger.json">swagger.json</a> (Swagger 2.0). Live events come over the WebSocket at <code>/ws</code>.</p>
${sections.join("\n")}</html>
`;
}

function asText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
