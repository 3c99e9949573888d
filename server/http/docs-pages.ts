// The pages of the API documentation: for programs in three formats, and for people.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { notFound } from "../../protocol/errors.ts";
import { apiPrefix } from "../../protocol/operation.ts";
import { builtPageFolder, docsStyle, hashedFolder } from "../built-page.ts";
import type { HtmlPage } from "../docs/html.ts";
import type { Schema } from "../docs/schemas.ts";
import type { SwaggerUi } from "../docs/swagger-ui.ts";
import type { House } from "../house/house.ts";
import { ownFile } from "../own-files.ts";
import { answerEncoded } from "./encodings.ts";
import type { Page } from "./page.ts";

/** Everything is loaded and made on the first request, which most servers never get, and then kept. */
export function docsPages(house: House): Page[] {
  const swaggerUi = once(async () => (await import("../docs/swagger-ui.ts")).readSwaggerUi());
  return [
    document("swagger.json", async () => (await import("../docs/swagger.ts")).swagger(house)),
    document("openapi.json", async () => (await import("../docs/openapi.ts")).openapi(house)),
    document("asyncapi.json", async () => (await import("../docs/asyncapi.ts")).asyncapi(house)),
    htmlPage("", async () => {
      const { operationsPage } = await import("../docs/operations-page.ts");
      return operationsPage(house, await swaggerUi(), stylePath());
    }),
    htmlPage("gateway", async () =>
      (await import("../docs/gateway-page.ts")).gatewayPage(house, stylePath()),
    ),
    assets(swaggerUi),
    {
      name: "docs",
      paths: ["/docs", `${apiPrefix}/docs`],
      // A relative link, because the page may be served below another folder.
      answer: async () => ({ status: 308, type: text, body: "docs/\n", headers: { Location: "docs/" } }),
    },
  ];
}

/** Returns the path of the style that was built with the page; undefined if no page was. */
function stylePath(): string | undefined {
  try {
    const name = readdirSync(join(ownFile(builtPageFolder), hashedFolder)).find((each) =>
      docsStyle.test(each),
    );
    return name && `/${hashedFolder}/${name}`;
  } catch {
    return undefined;
  }
}

const text = "text/plain; charset=utf-8";

function below(path: string): string[] {
  return [`/docs/${path}`, `${apiPrefix}/docs/${path}`];
}

function document(name: string, make: () => Promise<Schema>): Page {
  const made = once(async () => new Blob([JSON.stringify(await make())]));
  const type = "application/json; charset=utf-8";
  return {
    name: "description",
    paths: below(name),
    answer: async () => ({ status: 200, type, body: await made() }),
  };
}

function htmlPage(path: string, make: () => Promise<HtmlPage>): Page {
  const made = once(make);
  return {
    name: "docs",
    paths: below(path),
    async answer() {
      const { body, policy } = await made();
      const headers = { "Content-Security-Policy": policy };
      return { status: 200, type: "text/html; charset=utf-8", body, headers };
    },
  };
}

function assets(swaggerUi: () => Promise<SwaggerUi>): Page {
  return {
    name: "docs",
    paths: below("assets/*"),
    async answer(asked) {
      const asset = Object.values(await swaggerUi()).find(({ path }) => asked.path.endsWith(`/docs/${path}`));
      if (!asset) throw notFound();
      return answerEncoded(asset, asked, "public, max-age=31536000, immutable");
    },
  };
}

/** Returns a function that makes the value on its first call, and keeps it. A failed value is made again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
