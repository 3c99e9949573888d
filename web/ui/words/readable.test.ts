// The display of sizes, times and keys, and the keys of keyboard events.
import { afterAll, expect, test } from "bun:test";

const world = globalThis as unknown as Record<string, unknown>;
const { addEventListener, localStorage } = world;
const items = new Map<string, string>();
Object.assign(world, {
  addEventListener: () => {},
  localStorage: {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  },
});
for (const [name, value] of Object.entries({ languages: ["en-GB"], platform: "Linux x86_64" }))
  Object.defineProperty(navigator, name, { value, configurable: true });
afterAll(() => void Object.assign(world, { addEventListener, localStorage }));

const { progressText } = await import("../../../features/files/view/uploads-sizes.ts");
const { day, moment } = await import("./days.ts");
const { lettersOn, rebind, resetKeys } = await import("../keys/key-choices.ts");
const { command, isEscape, keysIn, keysOf } = await import("../keys/keys.ts");
const { readable } = await import("../keys/readable-keys.ts");
const { byteSize, sizeParts } = await import("./sizes.ts");
const { agoOf, clockTime } = await import("./times.ts");

test("sizes count in steps of 1,024, as exact as it helps", () => {
  const sizes = [0, 1023, 1024, 61 * 1024, 2.14 * 1024 ** 2, 10.4 * 1024 ** 2, 1024 ** 3, 3 * 1024 ** 5];
  expect(sizes.map(byteSize)).toEqual([
    ...["0 bytes", "1,023 bytes", "1 kB", "61 kB", "2.1 MB", "10 MB", "1 GB", "3,072 TB"],
  ]);
  expect(sizeParts(2.14 * 1024 ** 2)).toEqual({ number: "2.1", unit: "MB" });
  expect(progressText(512 * 1024, 3.4 * 1024 ** 2)).toEqual({ sent: "0.5", all: "3.4 MB" });
  expect(progressText(700, 1000)).toEqual({ sent: "700", all: "1,000 bytes" });
});

test("times are said as near as they are", () => {
  const now = new Date(2026, 6, 15, 9, 0);
  const ago = (...at: [number, number, number, number, number]) => agoOf(new Date(...at), now);
  expect(ago(2026, 6, 15, 0, 1)).toBe("today, 00:01");
  expect(ago(2026, 6, 14, 23, 59)).toBe("yesterday, 23:59");
  expect(ago(2026, 6, 13, 23, 59)).toBe("13 July, 23:59");
  expect(ago(2025, 6, 15, 9, 0)).toBe("15 July 2025");
  expect([moment(new Date(2026, 6, 15, 8, 5), now), moment(new Date(2026, 6, 14, 8, 5), now)]).toEqual([
    ...["08:05", "14 July"],
  ]);
  expect(day(new Date(2017, 6, 15), now)).toBe("15 July 2017");
  expect(clockTime(new Date(2026, 6, 15, 18, 5))).toBe("18:05");
});

const pressed = (key: string, ...held: ("ctrlKey" | "metaKey" | "altKey" | "shiftKey")[]) => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  return { key, ...none, ...Object.fromEntries(held.map((each) => [each, true])) };
};

test("keys are told with all that is held, and Escape is what nothing is held with", () => {
  expect(keysIn(pressed("K", "ctrlKey", "shiftKey"))).toBe("$mod+Shift+k");
  expect(keysIn(pressed("ArrowUp", "altKey", "metaKey"))).toBe("Meta+Alt+ArrowUp");
  expect(
    ["Control", "Meta", "Alt", "Shift", "AltGraph"].map((key) => keysIn(pressed(key, "ctrlKey"))),
  ).toEqual(Array(5).fill(undefined));
  expect([isEscape(pressed("Escape")), isEscape(pressed("Escape", "shiftKey"))]).toEqual([true, false]);
  expect(readable("$mod+Shift+ArrowUp")).toEqual(["Ctrl", "Shift", "↑"]);
  expect(readable("$mod+k")).toEqual(["Ctrl", "K"]);
});

test("a command has its own keys until others are chosen for it, and again when that is taken back", () => {
  const [one, two] = ["one", "two"].map((id) => command({ id, keys: `$mod+${id}`, name: () => id }));
  if (!one || !two) throw new Error("there are two");
  const keys = () => [keysOf(one), keysOf(two)];
  rebind("one", "F7");
  expect(keys()).toEqual(["F7", "$mod+two"]);
  expect(JSON.parse(items.get("hearth.keys") ?? "")).toEqual({ one: "F7" });
  rebind("two", "F8");
  rebind("one", undefined);
  expect(keys()).toEqual(["$mod+one", "F8"]);
  resetKeys();
  expect(keys()).toEqual(["$mod+one", "$mod+two"]);
  expect(lettersOn()).toBe(true);
  items.set("hearth.letter-keys", "false");
  expect(lettersOn()).toBe(false);
});
