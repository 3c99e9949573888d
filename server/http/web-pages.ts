// The web client: the built page, at every unused path, and the files that it loads.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { notFound } from "../../protocol/errors.ts";
import { builtPageFolder, encodedSuffix, hashedFolder, indexFile } from "../built-page.ts";
import type { Config } from "../config/config.ts";
import type { House } from "../house/house.ts";
import { ownFile } from "../own-files.ts";
import { answerEncoded, type EncodedFile } from "./encodings.ts";
import type { Page, PageAnswer, PageRequest } from "./page.ts";

const html = "text/html; charset=utf-8";

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html,
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json; charset=utf-8",
  woff2: "font/woff2",
};

export function webPages({ config, features }: House, folder = ownFile(builtPageFolder)): Page[] {
  const policy = policyOf(config);
  const secret = features.flatMap(({ secretPages = [] }) =>
    secretPages.map(({ path }) => path.slice(0, path.indexOf("{"))),
  );
  let read: ReadonlyMap<string, EncodedFile> | undefined;
  // All files are read with the first request: a page that is built meanwhile has other files.
  const files = () => {
    read ??= readFiles(folder);
    return read;
  };
  const file = (asked: PageRequest, cacheControl: string): PageAnswer => {
    const found = files().get(asked.path.slice(1));
    if (!found) throw notFound();
    // A worker that the page starts gets the page's policy.
    const answer = answerEncoded(found, asked, cacheControl);
    return { ...answer, headers: { ...answer.headers, "Content-Security-Policy": policy } };
  };
  const beside = namesIn(folder).filter((name) => name !== indexFile);
  return [
    {
      name: "page",
      paths: ["/"],
      isElsewhere: true,
      async answer(asked) {
        if (!takesHtml(asked)) throw notFound();
        const index = files().get(indexFile);
        if (!index) return notBuilt;
        const { headers, ...answer } = answerEncoded(
          index,
          { ...asked, headers: withoutTag(asked) },
          "no-store",
        );
        const { ETag: _, ...said } = headers ?? {};
        const unfound = secret.some((start) => asked.path.startsWith(start)) && { "X-Robots-Tag": "noindex" };
        return { ...answer, headers: { ...said, ...unfound, "Content-Security-Policy": policy } };
      },
    },
    {
      name: "page",
      paths: [`/${hashedFolder}/*`],
      answer: async (asked) => file(asked, "public, max-age=31536000, immutable"),
    },
    ...beside.map(
      (name): Page => ({
        name: "page",
        paths: [`/${name}`],
        answer: async (asked) => file(asked, "no-cache"),
      }),
    ),
  ];
}

/** Returns the page's policy: only resources from here, and the media service. */
function policyOf({ livekit }: Config): string {
  const media = livekit ? mediaOrigins(livekit.url) : [];
  return Object.entries({
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "font-src": "'self'",
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "img-src": "'self' blob:",
    "media-src": "'self' blob:",
    "connect-src": ["'self'", ...media].join(" "),
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "require-trusted-types-for": "'script'",
    // React Aria's policy is named by its package; the worker's is ours.
    "trusted-types": "hearth",
  })
    .map((each) => each.join(" "))
    .join("; ");
}

/** The media service is reached by its socket, and over HTTP for the reason when that fails. */
function mediaOrigins(url: string): string[] {
  const { protocol, host } = new URL(url);
  const isSafe = protocol === "wss:" || protocol === "https:";
  return isSafe ? [`wss://${host}`, `https://${host}`] : [`ws://${host}`, `http://${host}`];
}

function takesHtml({ headers }: PageRequest): boolean {
  return (headers.get("accept") ?? "").includes("text/html");
}

/** The page is never cached, so no browser can have it. */
function withoutTag({ headers }: PageRequest): Headers {
  const asked = new Headers(headers);
  asked.delete("if-none-match");
  return asked;
}

const notBuilt: PageAnswer = {
  status: 503,
  type: html,
  body: `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Hearth</title>
<p>The page of this Hearth is not built: run "npm ci" in its folder, with the development packages, and start it again.</p></html>
`,
};

function namesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map(({ name }) => name).filter((name) => typeOf(name) !== undefined);
  } catch {
    return [];
  }
}

function readFiles(folder: string): Map<string, EncodedFile> {
  const hashed = join(folder, hashedFolder);
  const names = [...namesIn(folder), ...namesIn(hashed).map((name) => `${hashedFolder}/${name}`)];
  return new Map(names.map((name) => [name, readEncoded(join(folder, name))]));
}

function readEncoded(path: string): EncodedFile {
  const bytes = readFileSync(path);
  return {
    type: typeOf(path) ?? "",
    hash: createHash("sha256").update(bytes).digest("hex").slice(0, 16),
    plain: new Blob([bytes]),
    br: readIfThere(path + encodedSuffix.br),
    gzip: readIfThere(path + encodedSuffix.gzip),
  };
}

function readIfThere(path: string): Blob | undefined {
  try {
    return new Blob([readFileSync(path)]);
  } catch {
    return undefined;
  }
}

/** Undefined for files that browsers do not load, such as compressed copies. */
function typeOf(name: string): string | undefined {
  return types[name.split(".").at(-1) ?? ""];
}
