// Rewrites source files so that each function reports to the recorder when it is called, and after each `await`.
import {
  isAwaitExpression,
  isBlock,
  isConstructorDeclaration,
  isFunctionLikeDeclaration,
  type Node,
} from "typescript/unstable/ast";
import { parse } from "../../tests/architecture/syntax.ts";
import { recorderName } from "./recorder.ts";

interface Insertion {
  at: number;
  text: string;
}

/** Returns the instrumented files by path. Their functions report the index of their file among them. */
export async function instrument(texts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const parsed = await parse(texts);
  return Object.fromEntries(
    parsed.map(({ path, text, root }, file) => [path, inserted(text, insertionsIn(root, file))]),
  );
}

function insertionsIn(root: Node, file: number): Insertion[] {
  const found: Insertion[] = [];
  function visit(node: Node): void {
    if (isAwaitExpression(node)) {
      found.push(
        { at: node.getStart(), text: `${recorderName}.back(${file}, ` },
        { at: node.end, text: ")" },
      );
    }
    const body = wrappable(node);
    if (body) found.push(...wrapped(body, isAsync(node), file));
    node.forEachChild(visit);
  }
  visit(root);
  return found;
}

/** Returns the body of a function that can run inside another one; undefined for generators and constructors. */
function wrappable(node: Node): Node | undefined {
  if (!isFunctionLikeDeclaration(node) || isConstructorDeclaration(node)) return;
  const { body, asteriskToken } = node as { body?: Node; asteriskToken?: Node };
  return asteriskToken ? undefined : body;
}

function isAsync(node: Node): boolean {
  const { modifiers } = node as { modifiers?: readonly Node[] };
  return modifiers?.some((each) => each.getText() === "async") ?? false;
}

function wrapped(body: Node, isAsyncBody: boolean, file: number): Insertion[] {
  const opening = `${recorderName}.run(${file}, ${isAsyncBody ? "async " : ""}() => `;
  if (!isBlock(body))
    return [
      { at: body.getStart(), text: opening },
      { at: body.end, text: ")" },
    ];
  return [
    { at: body.getStart() + 1, text: ` return ${opening}{` },
    { at: body.end - 1, text: "});" },
  ];
}

/** Inserts the texts. Of two at the same place, the one that was found first comes first. */
function inserted(text: string, insertions: readonly Insertion[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { at, text: piece } of insertions.toSorted((one, other) => one.at - other.at)) {
    pieces.push(text.slice(from, at), piece);
    from = at;
  }
  return pieces.join("") + text.slice(from);
}
