// How the page is built, and served by `npm run dev` in front of a running server.
import { createHash } from "node:crypto";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { iconsAlone, onlyWanted } from "../tools/page-packages.ts";

/** The server that `npm run dev` shows; it has to trust the page's origin (TRUSTED_ORIGINS). */
const server = process.env.HEARTH ?? "http://127.0.0.1:8080";

/**
 * What is loaded together is one file: the start, the pages of signing in, the house, and what the last two share. In
 * ninety small files the same code weighs a tenth more, as each is compressed alone.
 */
function chunkOf(id: string, known: Known): string | null {
  reached ??= reachedFrom((module) => known.getModuleInfo(module)?.importedIds ?? []);
  const { start, gate, house } = reached;
  if (start.has(id)) return "start";
  if (gate.has(id)) return house.has(id) ? "shared" : "gate";
  return house.has(id) ? "house" : null;
}

/** The name of a class, apart for each file: short, as the script has all of them again. */
function scopedName(name: string, file: string): string {
  const path = relative(fileURLToPath(new URL("..", import.meta.url)), file.replace(/\?.*$/, ""));
  return `${name}_${createHash("sha256").update(path).digest("base64url").slice(0, 4)}`;
}

interface Known {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

type Reached = Record<"start" | "gate" | "house", ReadonlySet<string>>;

let reached: Reached | undefined;

/** By where it begins: all modules without which that part cannot run. */
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
  return { start: from("start.tsx"), gate: from("gate.tsx"), house: from("shell/shell.tsx") };
}

export default defineConfig({
  plugins: [
    react(),
    iconsAlone(),
    onlyWanted({
      virtua: ["Virtualizer", "VList"],
    }),
  ],
  // React has had it for years.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  build: {
    target: "es2023",
    // Data addresses are none of ours, so the policy refuses them.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What is loaded later takes no turn from anything: only its styles are to be there before it. Naming all parts that
      // it needs would make the house heavier.
      resolveDependencies: (_, needed, { hostId }) =>
        hostId.includes("/house-") ? needed.filter((name) => name.endsWith(".css")) : needed,
    },
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: {
      // Reading a field of something is no reason to keep what nothing needs.
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
      ["/api", "/files", "/docs", "/ws"].map((path) => [path, { target: server, ws: path === "/ws" }]),
    ),
  },
});
