// Functions and styles that a built file uses and the oldest browsers lack, by MDN's data about browsers.
import data, { type Identifier, type SimpleSupportStatement } from "@mdn/browser-compat-data";
import { parseSync } from "vite";
import { oldestBrowsers } from "../../tools/oldest-browsers.ts";

const { chrome, firefox, safari } = oldestBrowsers;
const oldest = {
  ...{ chrome, chrome_android: chrome, edge: chrome },
  ...{ firefox, firefox_android: firefox, safari, safari_ios: safari },
};

/** Interfaces whose methods every script may call. Their names are seldom those of our own methods. */
const interfaces = ["Document", "Element", "Event", "EventTarget", "HTMLElement", "Node", "Range"];
/** Built-in objects that few scripts know, with names of methods that many have. */
const rareBuiltIns = /^(Atomics|SuppressedError|(Async)?DisposableStack)$/;

/** True for each name of the data, such as `Map.groupBy`, `Intl` or `toSorted`, that one of the browsers lacks. */
const [statics, methods] = [new Map<string, boolean>(), new Map<string, boolean>()];
readNames(data.api, interfaces);
readNames(
  data.javascript.builtins ?? {},
  Object.keys(data.javascript.builtins ?? {}).filter((name) => !rareBuiltIns.test(name)),
);

function readNames(all: Identifier, withMethods: readonly string[]): void {
  for (const [owner, members] of namesIn(all)) {
    if (members.__compat) statics.set(owner, isLacking(members));
    for (const [name, member] of namesIn(members)) {
      if (!member.__compat) continue;
      statics.set(`${owner}.${name.replace(/_static$/, "")}`, isLacking(member));
      if (name.endsWith("_static") || !withMethods.includes(owner)) continue;
      // A method that several have counts as lacking if all of them are too new.
      methods.set(name, (methods.get(name) ?? true) && isLacking(member));
    }
  }
}

function namesIn(all: Identifier): [string, Identifier][] {
  return Object.entries(all).filter(([name]) => name !== "__compat") as [string, Identifier][];
}

/** True for each function in values, such as `round`, that one of the browsers lacks. */
const functions = new Map<string, boolean>();
readFunctions(data.css.types ?? {});

function readFunctions(all: Identifier): void {
  for (const [name, each] of namesIn(all)) {
    if (each.__compat) functions.set(name, (functions.get(name) ?? true) && isLacking(each));
    readFunctions(each);
  }
}

/** True if one of the oldest browsers lacks it, also behind a prefix or a setting. */
function isLacking({ __compat }: Identifier): boolean {
  return Object.entries(oldest).some(([browser, version]) => {
    const known = __compat?.support[browser as keyof typeof oldest];
    return known && ![known].flat().some((each) => isSince(each, version));
  });
}

function isSince(
  { version_added, version_removed, flags, prefix, alternative_name }: SimpleSupportStatement,
  version: string,
): boolean {
  if (!version_added || version_added === "preview" || flags || prefix || alternative_name) return false;
  const wasRemoved = version_removed && numberOf(version_removed) <= Number(version);
  return !wasRemoved && numberOf(version_added) <= Number(version);
}

/** Versions look like `119`, `16.4` and `≤79`; none of these browsers has had a version like `16.10`. */
function numberOf(version: string): number {
  return Number.parseFloat(version.replace("≤", ""));
}

type Found = Record<string, unknown> & { type: string };

/** Returns names such as `Map.groupBy`, `.toSorted()` and `/v`. */
export function newerInScript(script: string): string[] {
  const found = new Set<string>();
  walk(parseSync("script.js", script).program as unknown as Found, (node) => {
    const used = usedBy(node);
    if (used !== undefined) found.add(used);
  });
  return [...found].sort();
}

function usedBy(node: Found): string | undefined {
  const { type, object, property, computed, callee, regex } = node;
  if (type === "MemberExpression" && !computed) {
    const name = `${nameOf(object)}.${nameOf(property)}`;
    return statics.get(name) ? name : undefined;
  }
  if (type === "CallExpression" && !node.optional && isMember(callee)) {
    const name = nameOf(callee.property) ?? "";
    return methods.get(name) && !statics.has(`${nameOf(callee.object)}.${name}`) ? `.${name}()` : undefined;
  }
  if (type === "NewExpression") return statics.get(nameOf(callee) ?? "") ? nameOf(callee) : undefined;
  if (type === "VariableDeclaration" && /using/.test(String(node.kind))) return "using";
  if (type === "Literal" && regex) return newerInRegex(regex as { pattern: string; flags: string });
  return undefined;
}

function newerInRegex({ pattern, flags }: { pattern: string; flags: string }): string | undefined {
  const kinds = data.javascript.regular_expressions ?? {};
  if (flags.includes("v") && isLacking(data.javascript.builtins?.RegExp?.unicodeSets ?? {})) return "/v";
  if (/\(\?[a-z]*-?[a-z]+:/.test(pattern) && isLacking(kinds.modifier ?? {})) return "(?i:)";
  return /\(\?<[!=]/.test(pattern) && isLacking(kinds.lookbehind_assertion ?? {}) ? "(?<=)" : undefined;
}

function isMember(node: unknown): node is { object: unknown; property: unknown } {
  return (node as Found).type === "MemberExpression";
}

/** The name of an identifier, or of `globalThis.name`. */
function nameOf(node: unknown): string | undefined {
  const { type, name, object, property } = node as Found;
  if (type === "MemberExpression" && /^(globalThis|window|self)$/.test(nameOf(object) ?? ""))
    return nameOf(property);
  return type === "Identifier" ? String(name) : undefined;
}

function walk(node: unknown, see: (node: Found) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (typeof (node as Found).type === "string") see(node as Found);
  for (const each of Object.values(node)) walk(each, see);
}

/** Returns names of properties and their values, functions, at-rules and selectors: `field-sizing`, `round()`, `:has`. */
export function newerInStyle(style: string): string[] {
  const found = new Set<string>();
  // The build adds the property with a prefix where one of these browsers needs that.
  for (const [, property = ""] of style.matchAll(/[{;]([a-z][a-z-]*):/g))
    if (isNewer("properties", property) && !style.includes(`-webkit-${property}:`)) found.add(property);
  for (const [, rule = ""] of style.matchAll(/@([a-z-]+)/g))
    if (isNewer("at-rules", rule)) found.add(`@${rule}`);
  for (const [, colons = "", selector = ""] of style.matchAll(
    /(?<=[\w\])*>}{,])(::?)([a-z-]+)(?=[^{};]*\{)/g,
  ))
    if (isNewer("selectors", selector)) found.add(colons + selector);
  for (const [, property = "", value = ""] of style.matchAll(/[{;]([a-z-]+):([^;{}]+)/g))
    for (const name of newerInValue(property, value)) found.add(name);
  return [...found].sort();
}

/** Values that are more than a word, by the name that the data has for them. */
const shapes: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  content: { alt_text: /\/ ?["a]/ },
  "text-decoration": { includes_thickness: /\d(px|em)/ },
};

function newerInValue(property: string, value: string): string[] {
  const called = [...value.matchAll(/(?<![\w-])([a-z-]+)\(/g)].map(([, name = ""]) => name);
  const tooNew = called.filter((name) => functions.get(name)).map((name) => `${name}()`);
  const known = data.css.properties?.[property];
  // A touch screen shows no pointer, whatever its shape.
  if (!known || isLacking(known) || property === "cursor") return tooNew;
  const values = namesIn(known).filter(([name, each]) => {
    const shape = shapes[property]?.[name] ?? new RegExp(`(?<![\\w-])${name.replaceAll("_", "-")}(?![\\w-])`);
    return each.__compat && isLacking(each) && shape.test(value);
  });
  return [...tooNew, ...values.map(([name]) => `${property}: ${name}`)];
}

function isNewer(kind: "properties" | "at-rules" | "selectors", name: string): boolean {
  const known = data.css[kind]?.[name];
  return known !== undefined && isLacking(known);
}
