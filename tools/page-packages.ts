// Vite plugins that reduce packages in the page: icons from their own files, and only the named exports of a package.
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { parseAst } from "vite";

interface Node {
  type: string;
  start: number;
  end: number;
}

interface Declarator extends Node {
  init: Node | null;
}

interface Statement extends Node {
  declarations?: Declarator[];
  kind?: string;
  specifiers?: (Node & { exported: { name: string } })[];
  expression?: Node & { left?: Node };
}

/**
 * Imports icons from their own files: an index of thousands makes one chunk of all icons that are used anywhere, and
 * the pages of signing in would load those of the settings.
 */
export function iconsAlone(): Plugin {
  const index = new URL("../node_modules/lucide-react/dist/esm/lucide-react.mjs", import.meta.url);
  const files = new Map<string, string>();
  for (const [, names = "", file = ""] of readFileSync(index, "utf8").matchAll(
    /export \{ (.+) \} from '\.\/(icons\/.+?)'/g,
  ))
    for (const [, name = ""] of names.matchAll(/default as (\w+)/g)) files.set(name, file);
  let isBuild = false;
  return {
    name: "icons-alone",
    enforce: "pre",
    configResolved({ command }) {
      isBuild = command === "build";
    },
    transform(code, id) {
      // React asks for the keys of an icon's lines in development only, and the lines never change places.
      if (id.includes("/lucide-react/dist/esm/icons/"))
        return isBuild ? code.replace(/,\s*key: "\w+"/g, "") : undefined;
      if (!/\.tsx?$/.test(id) || !code.includes('"lucide-react"')) return undefined;
      return code.replace(/import \{([^}]*)\} from "lucide-react";/g, (_, named: string) =>
        named
          .split(",")
          .map((each) => each.trim())
          .filter((each) => each !== "" && !each.startsWith("type "))
          .map((each) => {
            const [name = "", as = name] = each.split(" as ");
            const file = files.get(name);
            if (!file) throw new Error(`${id}: there is no icon called ${name}`);
            return `import ${as} from "lucide-react/dist/esm/${file}";`;
          })
          .join(""),
      );
    },
  };
}

/**
 * For single-file packages whose top level only creates values: marks each statement as pure, so that tree shaking can
 * drop what we do not use. `wanted` lists the exports that we use, by package.
 */
export function onlyWanted(wanted: Readonly<Record<string, readonly string[]>>): Plugin {
  return {
    name: "only-wanted",
    transform(code, id) {
      const [, ours] = Object.entries(wanted).find(([name]) => id.includes(`/node_modules/${name}/`)) ?? [];
      if (!ours || !id.endsWith(".js")) return undefined;
      const { body } = parseAst(code) as unknown as { body: Statement[] };
      return { code: body.map((each) => leaner(each, code, ours)).join("\n"), map: null };
    },
  };
}

function leaner(statement: Statement, code: string, exports: readonly string[]): string {
  const text = ({ start, end }: Node) => code.slice(start, end);
  const { type, kind, declarations = [], specifiers = [], expression } = statement;
  if (type === "VariableDeclaration") {
    return declarations
      .map((each) => {
        const isMade = each.init?.type === "NewExpression" || each.init?.type === "CallExpression";
        const at = each.init?.start ?? each.end;
        return `${kind} ${code.slice(each.start, at)}${isMade ? "/* @__PURE__ */ " : ""}${code.slice(at, each.end)};`;
      })
      .join("\n");
  }
  if (type === "ExportNamedDeclaration" && specifiers.length > 0) {
    return `export {${specifiers
      .filter(({ exported }) => exports.includes(exported.name))
      .map(text)
      .join()}};`;
  }
  // Static members of the package's own functions: other ways to call its exports.
  if (type === "ExpressionStatement" && expression?.left?.type === "MemberExpression") return "";
  return text(statement);
}
