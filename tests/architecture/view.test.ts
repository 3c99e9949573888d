// Rules of the page: where its libraries may be imported, no text as markup, and colours only by their role.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { codeOf, everyPath, isTestFile, sourceFiles } from "./tree.ts";

const page = sourceFiles("web", "features").filter(({ path }) => /^web\/|\/view\//.test(path));
const styles = [...everyPath("web"), ...everyPath("features")]
  .filter((path) => path.endsWith(".css"))
  .map((path) => ({ path, text: read(path) }));

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
}

test("the page is really read: its list of messages and its tokens are among it", () => {
  expect(page.map(({ path }) => path)).toContain("features/messages/view/list/message-list.tsx");
  expect(styles.map(({ path }) => path)).toContain("web/styles/tokens.css");
});

/** The rooms of a folder by level, from the bottom up: a room imports only from lower levels. */
const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "web/ui/": [
    ["browser"],
    ["words"],
    ["navigation"],
    ["keys"],
    ["controls"],
    ["loading"],
    ["overlays"],
    ["session"],
    ["settings"],
    ["emoji"],
  ],
  "features/messages/view/": [
    ["later-words.de.ts", "later-words.en.ts", "words.de.ts", "words.en.ts", "slots.ts"],
    ["model", "drafting"],
    ["window"],
    ["markdown", "actions"],
    ["row"],
    ["list", "reader", "composer", "jump"],
    ["room.tsx"],
  ],
};

test("the rooms of the page import only rooms below them, and each file stands in one", () => {
  for (const [folder, rooms] of Object.entries(floors)) {
    const files = page.filter(({ path }) => path.startsWith(folder) && !isTestFile(path));
    const roomOf = (path: string) => path.slice(folder.length).split("/")[0] ?? "";
    const floorOf = (path: string) => rooms.findIndex((names) => names.includes(roomOf(path)));
    expect(files.filter(({ path }) => floorOf(path) < 0).map(({ path }) => path)).toEqual([]);
    const upward = files.flatMap(({ path, imports }) =>
      imports
        .filter((to) => to.startsWith(folder) && roomOf(to) !== roomOf(path) && floorOf(to) >= floorOf(path))
        .map((to) => `${path} → ${to}`),
    );
    expect(upward).toEqual([]);
  }
});

test("React Aria is named in web/ui alone: views use the parts that are made of it", () => {
  const naming = page.filter(({ imports }) => imports.some((to) => /^react-(aria|stately)/.test(to)));
  expect(naming.length).toBeGreaterThan(0);
  expect(naming.map(({ path }) => path).filter((path) => !path.startsWith("web/ui/"))).toEqual([]);
});

test("no text becomes markup or code", () => {
  const markup =
    /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(/;
  expect(page.filter((file) => markup.test(codeOf(file))).map(({ path }) => path)).toEqual([]);
});

test("letters become small or large by the rules of no browser's language, but first letters of names and those of keys", () => {
  const ofBrowser = page.filter(
    (file) => !isTestFile(file.path) && /\.toLocale(Lower|Upper)Case\(\)/.test(codeOf(file)),
  );
  expect(ofBrowser.map(({ path }) => path).sort()).toEqual([
    "web/ui/controls/initials.ts",
    "web/ui/keys/readable-keys.ts",
  ]);
});

describe("styles", () => {
  const parts = styles.filter(({ path }) => !path.startsWith("web/styles/"));

  test("name colours by their roles", () => {
    const raw = /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch|lab)a?\((?!from)|:\s*(white|black|red|grey|gray)\b/i;
    const wrong = parts.flatMap(({ path, text }) =>
      text
        .split("\n")
        .filter((line) => raw.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(wrong).toEqual([]);
  });

  test("stand in a layer, so that their order decides nothing", () => {
    const outside = parts.filter(({ text }) => !/^(\/\*[\s\S]*?\*\/\s*)?@layer (ui|features) \{/.test(text));
    expect(outside.map(({ path }) => path)).toEqual([]);
  });

  test("give high contrast the same colours, whether the reader or the system asks for it", () => {
    const tokens = read("web/styles/tokens.css");
    const inside = (opening: string) => {
      const [, block = ""] = tokens.split(`${opening} {`);
      return block
        .slice(0, block.indexOf("}"))
        .split(";")
        .map((line) => line.trim());
    };
    const chosen = inside(':root[data-theme="contrast"]');
    const [, more = ""] = tokens.split("@media (prefers-contrast: more)");
    expect(chosen.length).toBeGreaterThan(30);
    expect(more).toContain(":root:not([data-theme])");
    expect(inside("@media (prefers-contrast: more) {\n    :root:not([data-theme])")).toEqual(chosen);
  });

  test("shade what is hovered only where something hovers: after a tap it would stay so", () => {
    const hovers = parts.filter(({ text }) => text.includes(":hover"));
    expect(hovers.length).toBeGreaterThan(20);
    const outside = hovers.filter(({ text }) =>
      text.replaceAll(/@media \(hover: hover\)[^{]*\{(?:[^{}]|\{[^{}]*\})*\}/g, "").includes(":hover"),
    );
    expect(outside.map(({ path }) => path)).toEqual([]);
  });

  test("know no left and right: the page can be read from right to left", () => {
    const sided =
      /(^|[\s;{])((margin|padding|border)-(left|right)|left|right|text-align:\s*(left|right)|float:\s*(left|right))\b\s*:?/m;
    const wrong = parts.flatMap(({ path, text }) =>
      text
        .split("\n")
        .filter((line) => sided.test(line) && !/^\s*\/?\*/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(wrong).toEqual([]);
  });

  test("give the four sides in one only where both ends of a line get the same", () => {
    const wrong = parts.flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:padding|margin|inset|border-width):([^;]+);/g)]
        .map(([rule, values = ""]) => ({ rule, sides: valuesIn(values) }))
        .filter(({ sides }) => sides.length === 4 && sides[1] !== sides[3])
        .map(({ rule }) => `${path}: ${rule}`),
    );
    expect(wrong).toEqual([]);
  });
});

/** `0 calc(1px + 2px)` has two values. */
function valuesIn(text: string): string[] {
  return text.trim().match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];
}
