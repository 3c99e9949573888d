// Toasts: one at a time, `onGone` called once, and the persistent one shown again.
import { afterAll, expect, test } from "bun:test";

const world = globalThis as unknown as Record<string, unknown>;
const { addEventListener, removeEventListener, Element } = world;
type OnKey = (event: Partial<KeyboardEvent>) => void;
let onKey: OnKey | undefined;
/** An element of the page, in a field or not. */
class Place {
  readonly #isField: boolean;
  constructor(isField: boolean) {
    this.#isField = isField;
  }
  closest = () => (this.#isField ? this : null);
}
Object.assign(world, {
  Element: Place,
  addEventListener: (_: string, listener: OnKey) => {
    onKey = listener;
  },
  removeEventListener: () => {
    onKey = undefined;
  },
});
afterAll(() => void Object.assign(world, { addEventListener, removeEventListener, Element }));

const { end, showToast, takeAway, useToast } = await import("./toast.ts");
const shown = () => useToast.getState().toast?.text;

test("a line whose time is over, or whose place another takes, does what it put off, once; one that was used does not", () => {
  const done: string[] = [];
  const line = (text: string) => ({ text, onGone: () => void done.push(text) });
  const [one, two, three] = ["one", "two", "three"].map(line);
  if (!one || !two || !three) throw new Error("there are three");
  const takeOne = showToast(one);
  showToast(two);
  expect([shown(), done]).toEqual(["two", ["one"]]);
  takeOne();
  expect([shown(), done]).toEqual(["two", ["one"]]);
  end(two);
  expect([shown(), done]).toEqual([undefined, ["one", "two"]]);
  showToast(three);
  takeAway(three);
  end(three);
  expect([shown(), done]).toEqual([undefined, ["one", "two"]]);
});

test("the line that stays comes back after others, until it is used", () => {
  const gone: string[] = [];
  const stays = { text: "A newer version is there.", forMs: 0, onGone: () => void gone.push("gone") };
  showToast(stays);
  end(showAndReturn("Not saved."));
  expect(shown()).toBe(stays.text);
  takeAway(stays);
  end(showAndReturn("Not saved."));
  expect([shown(), gone]).toEqual([undefined, []]);
});

test("the line that stays waits until what can be undone is over, and goes unseen when it is taken away meanwhile", () => {
  const gone: string[] = [];
  const stays = { text: "A newer version is there.", forMs: 0 };
  const deleted = {
    text: "Deleted.",
    action: { label: "Undo", isUndo: true, run() {} },
    onGone: () => void gone.push("deleted"),
  };
  showToast(deleted);
  const takeFirst = showToast(stays);
  expect([shown(), gone]).toEqual([deleted.text, []]);
  takeFirst();
  end(deleted);
  expect([shown(), gone]).toEqual([undefined, ["deleted"]]);
  showToast(deleted);
  showToast(stays);
  takeAway(deleted);
  expect([shown(), gone]).toEqual([stays.text, ["deleted"]]);
  takeAway(stays);
});

function showAndReturn(text: string) {
  const toast = { text };
  showToast(toast);
  return toast;
}

test("Ctrl+Z takes back what the line offers to take back, and only while it is there", () => {
  let undone = 0;
  const press = (more: object = {}) =>
    onKey?.({ key: "z", ctrlKey: true, shiftKey: false, metaKey: false, preventDefault() {}, ...more });
  const run = () => void undone++;
  showToast({ text: "Deleted.", action: { label: "Undo", isUndo: true, run } });
  const inField = { target: new Place(true) };
  for (const other of [{ key: "y" }, { shiftKey: true }, { ctrlKey: false }, inField]) press(other);
  expect([undone, shown()]).toEqual([0, "Deleted."]);
  press({ target: new Place(false) });
  press();
  expect([undone, shown()]).toEqual([1, undefined]);
  showToast({ text: "Not loaded.", action: { label: "Load", run } });
  press();
  expect(undone).toBe(1);
});
