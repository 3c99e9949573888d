// The build of the page, and its development server (`npm run dev`) in front of a running Hearth.
import { createHash } from "node:crypto";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { oldestBrowsers } from "../tools/oldest-browsers.ts";
import { iconsAlone, onlyWanted } from "../tools/page-packages.ts";

/** The server behind `npm run dev`; it has to trust the page's origin (TRUSTED_ORIGINS). */
const server = process.env.HEARTH ?? "http://127.0.0.1:8080";

/**
 * Modules that are loaded together become one chunk: the start, the pages of signing in, the house, what the last two
 * share, and the menus. In ninety small files the same code is a tenth larger, because each is compressed alone.
 */
function chunkOf(id: string, known: Known): string | null {
  reached ??= reachedFrom((module) => known.getModuleInfo(module)?.importedIds ?? []);
  const { start, gate, house, menus } = reached;
  if (start.has(id)) return "start";
  if (gate.has(id)) return house.has(id) ? "shared" : "gate";
  if (house.has(id)) return "house";
  return menus.has(id) ? "menus" : null;
}

/** Returns a class name that is unique to its file, and short, because the script repeats all of them. */
function scopedName(name: string, file: string): string {
  const path = relative(fileURLToPath(new URL("..", import.meta.url)), file.replace(/\?.*$/, ""));
  return `${name}_${createHash("sha256").update(path).digest("base64url").slice(0, 4)}`;
}

/** For Vite, which takes Edge for Chrome. */
const buildTargets = Object.entries(oldestBrowsers).map(([name, version]) => `${name}${version}`);

interface Known {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

type Reached = Record<"start" | "gate" | "house" | "menus", ReadonlySet<string>>;

let reached: Reached | undefined;

/** Returns, by entry point, all modules that it imports statically, directly or indirectly. */
function reachedFrom(importsOf: (id: string) => readonly string[]): Reached {
  const from = (path: string) => {
    const found = new Set<string>();
    const waiting = [fileURLToPath(new URL(path, import.meta.url))];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      waiting.push(...importsOf(id));
    }
    return found;
  };
  return {
    start: from("start.tsx"),
    gate: from("gate.tsx"),
    house: from("shell/shell.tsx"),
    menus: from("menus.ts"),
  };
}

function asPath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

export default defineConfig({
  plugins: [
    react(),
    iconsAlone(),
    onlyWanted({
      virtua: ["Virtualizer", "VList"],
    }),
  ],
  // React itself has had this hook for years.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  build: {
    target: buildTargets,
    // The content security policy refuses data URLs.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // For parts that are loaded later, preloads only their styles: listing all of their scripts would make the house
      // larger.
      resolveDependencies: (_, needed, { hostId }) =>
        hostId.includes("/house-") ? needed.filter((name) => name.endsWith(".css")) : needed,
    },
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: {
      // The style of the documentation is found by the server, and loaded by no other page.
      input: [asPath("index.html"), asPath("styles/docs.css")],
      // Treats property reads as free of side effects, so that unused values are dropped.
      treeshake: {
        propertyReadSideEffects: false,
        manualPureFunctions: ["forwardRef", "createContext", "memo"],
      },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: chunkOf, debugName: "what comes together" }],
        },
      },
    },
    reportCompressedSize: false,
  },
  worker: { format: "es" },
  css: { modules: { localsConvention: "camelCaseOnly", generateScopedName: scopedName } },
  server: {
    fs: { allow: [".."] },
    proxy: Object.fromEntries(
      ["/api", "/files", "/avatars", "/docs", "/ws"].map((path) => [
        path,
        { target: server, ws: path === "/ws" },
      ]),
    ),
  },
});
