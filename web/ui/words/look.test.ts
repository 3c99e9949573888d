// `public/look.js` applies the same appearance before the first paint as the page itself, for every setting.
import { afterAll, expect, test } from "bun:test";
import type { Look } from "./look.ts";

interface Root {
  dataset: Record<string, string>;
  lang: string;
  style: {
    fontSize: string;
    setProperty(name: string, value: string): void;
    removeProperty(name: string): void;
  };
  properties: Record<string, string>;
}

function freshRoot(): Root {
  const properties: Record<string, string> = {};
  return {
    dataset: {},
    lang: "",
    properties,
    style: {
      fontSize: "",
      setProperty: (name, value) => void Object.assign(properties, { [name]: value }),
      removeProperty: (name) => void delete properties[name],
    },
  };
}

const world = globalThis as unknown as Record<string, unknown>;
const before = { document: world.document, localStorage: world.localStorage, add: world.addEventListener };
world.addEventListener = () => {};
Object.assign(world, { window: world, CSS: { supports: () => true } });
afterAll(() => {
  Object.assign(world, { document: before.document, localStorage: before.localStorage });
  for (const name of ["window", "CSS"]) delete world[name];
  world.addEventListener = before.add;
});

const looks: Look[] = [
  {},
  { theme: "dark", density: "compact", textSize: 20, saturation: 0, motion: "reduced", hours: 12 },
  { theme: "contrast", textSize: 13, saturation: 0.45 },
  { theme: "light", reading: "pages" },
];

test("both make the same of every look, and of one that is broken as by default", async () => {
  world.localStorage = { getItem: () => null };
  const { showLook } = await import("./look.ts");
  for (const [i, look] of looks.entries()) {
    const early = freshRoot();
    world.document = { documentElement: early };
    world.localStorage = { getItem: () => JSON.stringify(look) };
    await import(`../../public/look.js?${i}`);
    const later = freshRoot();
    showLook(look, later as unknown as HTMLElement);
    expect({ dataset: early.dataset, size: early.style.fontSize, set: early.properties }).toEqual({
      dataset: later.dataset,
      size: later.style.fontSize,
      set: later.properties,
    });
  }
  const broken = freshRoot();
  world.document = { documentElement: broken };
  world.localStorage = { getItem: () => "{no json" };
  await import("../../public/look.js?broken");
  expect(broken.dataset).toEqual({});
});
