// The files of Swagger UI, from its package: read and compressed when somebody first asks for the page, and kept.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

export interface Asset {
  /** Below the page, with a hash of the bytes: what lies there never changes. */
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

export async function readSwaggerUi(): Promise<SwaggerUi> {
  const [script, style] = await Promise.all([
    read("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    read("swagger-ui.css", "text/css; charset=utf-8"),
  ]);
  return { script, style };
}

const { resolve } = createRequire(import.meta.url);
const compress = promisify(gzip);

async function read(name: string, type: string): Promise<Asset> {
  const bytes = await readFile(resolve(`swagger-ui-dist/${name}`));
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  // Compressed by threads of the runtime: the event loop goes on meanwhile.
  const compressed = await compress(bytes, { level: 9 });
  const path = `assets/${hash}/${name}`;
  return { path, type, hash, plain: new Blob([bytes]), gzip: new Blob([compressed]) };
}
