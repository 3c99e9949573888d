// The files of Swagger UI, from its package: read and compressed when the page is first requested, and kept.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ownFile } from "../own-files.ts";

interface Asset {
  /** Path below the page, with a hash of the bytes: the content at a path never changes. */
  path: string;
  /** The media type. */
  type: string;
  hash: string;
  plain: Blob;
  gzip: Blob;
}

export interface SwaggerUi {
  script: Asset;
  style: Asset;
}

export const swaggerUiFolder = "node_modules/swagger-ui-dist";
export const swaggerUiFiles = ["swagger-ui-bundle.js", "swagger-ui.css"] as const;

export async function readSwaggerUi(): Promise<SwaggerUi> {
  const [script, style] = await Promise.all([
    read(swaggerUiFiles[0], "text/javascript; charset=utf-8"),
    read(swaggerUiFiles[1], "text/css; charset=utf-8"),
  ]);
  return { script, style };
}

const compress = promisify(gzip);

async function read(name: string, type: string): Promise<Asset> {
  const bytes = await readFile(ownFile(join(swaggerUiFolder, name)));
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  // Compressed in threads of the runtime: the event loop is not blocked.
  const compressed = await compress(bytes, { level: 9 });
  const path = `assets/${hash}/${name}`;
  return { path, type, hash, plain: new Blob([bytes]), gzip: new Blob([compressed]) };
}
