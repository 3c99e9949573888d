// Finds what has a colour in code. Only the worker loads it: the highlighter is large, and its work grows with the square of
// some texts.
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

/** In longer lines the highlighter looks again and again at the same letters; nobody reads them by their colours. */
const longestLine = 300;
/** A page that draws more than this for one block of code is busy with that. */
const mostPieces = 1000;

type Tree = ReturnType<typeof lowlight.highlight>;
type Node = Tree["children"][number];

/** Undefined: nothing is known of such a language, nothing in the code has a colour, or more than a page draws at once. */
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
