// Colours of code, loaded with the first block of code that names its language.
import { common, createLowlight } from "lowlight";

export type Piece = string | { as: "key" | "string" | "number" | "note"; text: string };

const lowlight = createLowlight(common);

/** The words of the highlighter, by what the design has a colour for. */
const kinds: Readonly<Record<string, Exclude<Piece, string>["as"]>> = {
  keyword: "key",
  built_in: "key",
  type: "key",
  literal: "key",
  meta: "key",
  section: "key",
  "selector-tag": "key",
  name: "key",
  tag: "key",
  string: "string",
  regexp: "string",
  "template-tag": "string",
  addition: "string",
  attr: "string",
  number: "number",
  symbol: "number",
  bullet: "number",
  variable: "number",
  comment: "note",
  quote: "note",
  deletion: "note",
  doctag: "note",
};

type Tree = ReturnType<typeof lowlight.highlight>;
type Node = Tree["children"][number];

/** Undefined: nothing is known of such a language. */
export function highlighted(text: string, info: string): readonly Piece[] | undefined {
  const [language = ""] = info.toLowerCase().split(/[\s,{]/);
  if (!lowlight.registered(language)) return undefined;
  const pieces: Piece[] = [];
  collect(lowlight.highlight(language, text).children, undefined, pieces);
  return pieces;
}

function collect(nodes: readonly Node[], as: Exclude<Piece, string>["as"] | undefined, into: Piece[]): void {
  for (const node of nodes) {
    if (node.type === "text") into.push(as ? { as, text: node.value } : node.value);
    if (node.type === "element")
      collect(node.children as Node[], kindOf(node.properties.className) ?? as, into);
  }
}

function kindOf(classes: unknown): Exclude<Piece, string>["as"] | undefined {
  if (!Array.isArray(classes)) return undefined;
  return kinds[String(classes[0]).replace(/^hljs-/, "")];
}
