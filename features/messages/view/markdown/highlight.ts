// Splits code into coloured pieces. Loaded by the worker only: the highlighter is large, and takes quadratic time on
// some texts.
import { common, createLowlight } from "lowlight";

export type Piece = string | { as: "key" | "string" | "number" | "note"; text: string };

const lowlight = createLowlight(common);

/** The token types of the highlighter, by the colours of the design. */
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

/** On longer lines the highlighter scans the same letters repeatedly; nobody needs colours to read those. */
const longestLine = 300;
/** Drawing more pieces for one block of code would block the page. */
const mostPieces = 1000;

type Tree = ReturnType<typeof lowlight.highlight>;
type Node = Tree["children"][number];

/** Undefined for an unknown language, for code without colours, or for more pieces than a page draws at once. */
export function highlighted(text: string, info: string): readonly Piece[] | undefined {
  const [language = ""] = info.toLowerCase().split(/[\s,{]/);
  if (!lowlight.registered(language)) return undefined;
  const pieces: Piece[] = [];
  let lines: string[] = [];
  const end = () => {
    if (lines.length > 0) collect(lowlight.highlight(language, lines.join("")).children, undefined, pieces);
    lines = [];
  };
  for (const line of text.split(/(?<=\n)/)) {
    if (line.length <= longestLine) lines.push(line);
    else {
      end();
      pieces.push(line);
    }
  }
  end();
  const hasColours = pieces.some((piece) => typeof piece !== "string");
  return hasColours && pieces.length <= mostPieces ? pieces : undefined;
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
