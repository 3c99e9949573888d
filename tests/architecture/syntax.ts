// The program's functions and regular expressions, by TypeScript's parser. Its API is young: only this file uses it.
import {
  type FunctionLikeDeclaration,
  isCallExpression,
  isClassDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isNewExpression,
  isNumericLiteral,
  isPropertyAccessExpression,
  isRegularExpressionLiteral,
  isTaggedTemplateExpression,
  isTryStatement,
  type Node,
} from "typescript/unstable/ast";
import { API } from "typescript/unstable/async";
import { createVirtualFileSystem } from "typescript/unstable/fs";

export interface MeasuredFunction {
  /** `features/messages/handlers.ts createMessage`; a function without a name has that of the enclosing one. */
  name: string;
  /** Without comment lines: a comment must not make a function too long. */
  lines: number;
  parameters: number;
  /** True if it is passed to `handle`, by its name in the same file, or inline, named after the operation. */
  isHandler: boolean;
  /** Constructs that do not belong into a handler: `try`, `status`, `JSON`, `SQL`. */
  beyondHandlers: string[];
}

interface Parsed {
  path: string;
  text: string;
  root: Node;
}

/** Measures every function of these files, given as text by path. They are only parsed: imports are not resolved. */
export async function measure(texts: Readonly<Record<string, string>>): Promise<MeasuredFunction[]> {
  return (await parse(texts)).flatMap(functionsIn);
}

/** Returns every regular expression literal of these files: `/^a+$/u`. */
export async function regexesIn(
  texts: Readonly<Record<string, string>>,
): Promise<{ path: string; regex: string }[]> {
  return (await parse(texts)).flatMap(({ path, root }) => {
    const found: { path: string; regex: string }[] = [];
    function visit(node: Node): void {
      if (isRegularExpressionLiteral(node)) found.push({ path, regex: node.text });
      node.forEachChild(visit);
    }
    visit(root);
    return found;
  });
}

/** Parses these files, given as text by path, and returns them in the same order. */
export async function parse(texts: Readonly<Record<string, string>>): Promise<Parsed[]> {
  const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [`/${path}`, text]));
  const compilerOptions = { allowJs: true, noLib: true, noResolve: true, types: [] };
  const config = JSON.stringify({ compilerOptions, files: Object.keys(files) });
  const parser = new API({ cwd: "/", fs: createVirtualFileSystem({ ...files, "/tsconfig.json": config }) });
  try {
    const snapshot = await parser.updateSnapshot({ openProjects: ["/tsconfig.json"] });
    const program = snapshot.getProject("/tsconfig.json")?.program;
    return await Promise.all(
      Object.entries(texts).map(async ([path, text]) => {
        const root = await program?.getSourceFile(`/${path}`);
        if (!root) throw new Error(`The parser does not know ${path}.`);
        return { path, text, root };
      }),
    );
  } finally {
    await parser.close();
  }
}

function functionsIn({ path, text, root }: Parsed): MeasuredFunction[] {
  const found: MeasuredFunction[] = [];
  const named = new Set<string>();

  function visit(node: Node, around: string, isHandler: boolean): void {
    const name = nameOf(node) ?? around;
    if (isFunctionLikeDeclaration(node) && bodyOf(node)) {
      found.push({
        name: `${path} ${name}`,
        lines: codeLines(text.slice(node.getStart(), node.end)),
        parameters: parametersOf(node),
        isHandler,
        beyondHandlers: beyondHandlers(node),
      });
    }
    const handled = operationHandled(node);
    if (handled?.run && isIdentifier(handled.run)) named.add(`${path} ${handled.run.text}`);
    node.forEachChild((child) => visit(child, handled?.operation ?? name, child === handled?.run));
  }

  visit(root, "(top)", false);
  return found.map((each) => (named.has(each.name) ? { ...each, isHandler: true } : each));
}

function codeLines(text: string): number {
  return text.split("\n").filter((line) => !/^\s*(\/\/|\/\*|\*)/.test(line)).length;
}

/** `handle(contract.createMessage, async (call) => …)` → `createMessage` and the function. */
function operationHandled(node: Node): { operation: string; run: Node | undefined } | undefined {
  if (!isCallExpression(node) || !/^handle(Admitted)?$/.test(node.expression.getText())) return;
  const [operation, ...functions] = node.arguments;
  const name = operation?.getText().split(".").at(-1);
  return name === undefined ? undefined : { operation: name, run: functions.at(-1) };
}

function nameOf(node: Node): string | undefined {
  const name = (node as { name?: Node }).name?.getText();
  const isNamed = isFunctionLikeDeclaration(node) || isClassDeclaration(node) || holdsFunction(node);
  return isNamed ? name : undefined;
}

/** Matches `const f = () => …` and `{ f: () => … }`. */
function holdsFunction(node: Node): boolean {
  const value = (node as { initializer?: Node }).initializer;
  return value !== undefined && isFunctionLikeDeclaration(value);
}

function bodyOf(node: FunctionLikeDeclaration): Node | undefined {
  return "body" in node ? node.body : undefined;
}

/** Does not count a `this` parameter, which only gives a type. */
function parametersOf(node: FunctionLikeDeclaration): number {
  return node.parameters.filter(({ name }) => name.getText() !== "this").length;
}

const sql = new Set(["selectFrom", "insertInto", "updateTable", "deleteFrom"]);

function beyondHandlers(node: Node): string[] {
  const found = new Set<string>();
  function visit(part: Node): void {
    if (isTryStatement(part)) found.add("try");
    if (isPropertyAccessExpression(part) && part.name.text === "catch") found.add("try");
    if (isPropertyAccessExpression(part) && sql.has(part.name.text)) found.add("SQL");
    if (isTaggedTemplateExpression(part) && part.tag.getText() === "sql") found.add("SQL");
    if (isIdentifier(part) && part.text === "JSON") found.add("JSON");
    if (isNewExpression(part) && part.arguments?.some(isStatusCode)) found.add("status");
    part.forEachChild(visit);
  }
  visit(node);
  return [...found].sort();
}

function isStatusCode(value: Node): boolean {
  return isNumericLiteral(value) && /^[2-5]\d\d$/.test(value.text);
}
