// Keys that are pressed while a part of the page that takes them is still being loaded: they wait, and then work in that part.

/** How many parts that take the keys are on their way. */
let awaited = 0;
let isListening = false;
let isReplaying = false;
/** Number of the part that was asked for last. */
let part = 0;
/** Number of the last part that got the focus. */
let partThere = 0;
/** Escape was pressed. */
let isLeft = false;
let focusBefore: Element | null = null;
/** Elements that could have the focus when that part was asked for. */
let focusable = new WeakSet<Element>();
let held: KeyboardEvent[] = [];
let patience: ReturnType<typeof setTimeout> | undefined;

/** They lead elsewhere in the page. */
const leadsOn = /^(?:Tab|F6)$/;
/** They load the page anew, or show what it is made of. */
const ofBrowser = /^F\d+$/;
const mostKeys = 200;
/**
 * After so many milliseconds, a press of the pointer or a key that leads elsewhere, held keys are dropped and keys work as
 * usual again.
 */
const patienceMs = 30_000;
/** A part that has arrived has the focus within so many frames, and its list points at a result. */
const mostFrames = 120;
/** A key that chooses or closes may open the next part, which takes a moment to get the focus. */
const framesAfterChoice = 6;

/** Holds the keys from now on. Returns the function that says that the part is there, or will not come. */
export function holdKeys(): () => void {
  awaited++;
  part++;
  focusBefore = document.activeElement;
  focusable = new WeakSet(document.querySelectorAll("a, button, input, select, textarea, [tabindex]"));
  if (!isListening) {
    isListening = true;
    addEventListener("keydown", hold, { capture: true });
    addEventListener("pointerdown", giveUp, { capture: true });
    patience = setTimeout(giveUp, patienceMs);
  }
  return () => {
    awaited--;
    // The menu that opens a part gives the focus back while that is on its way.
    const { activeElement } = document;
    if (activeElement && focusable.has(activeElement)) focusBefore = activeElement;
    if (awaited === 0 && !isReplaying) void replay();
  };
}

/** After Escape: a dialog is wanted after all, the same one or another, and the next keys are meant for it. */
export function holdAgain(): void {
  if (!isLeft) return;
  isLeft = false;
  held = [];
}

function hold(event: KeyboardEvent): void {
  // Keys that are replayed come through here, too; commands and input methods go on as usual.
  if (!event.isTrusted || isLeft || isCommand(event) || event.isComposing) return;
  if (leadsOn.test(event.key)) giveUp();
  if (leadsOn.test(event.key) || ofBrowser.test(event.key)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.key === "Escape") leave();
  if (held.length < mostKeys) held.push(event);
}

/** Whoever presses Escape wants none of it: it closes what comes, and the keys behind it are the page's at once. */
function leave(): void {
  held = [];
  isLeft = true;
}

/** Windows reports Control and Alt also where AltGr types a sign, which is no command. */
function isCommand(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
}

/** Stops where another part has to be waited for: its arrival starts it again. */
async function replay(): Promise<void> {
  isReplaying = true;
  while (isListening && awaited === 0) {
    const waitedFor = part;
    const isThere = partThere === waitedFor || (await within(mostFrames, hasFocusMoved));
    if (isThere && held[0]?.key === "Enter") await within(mostFrames, hasResult);
    // Another part was asked for meanwhile: the keys are for that one.
    if (part !== waitedFor) continue;
    if (isThere) partThere = waitedFor;
    const key = held.shift();
    if (!key || !isThere) {
      giveUp();
      break;
    }
    press(key);
    await within(key.key.length > 1 ? framesAfterChoice : 1, () => awaited > 0);
  }
  isReplaying = false;
}

function giveUp(): void {
  held = [];
  isLeft = false;
  isListening = false;
  clearTimeout(patience);
  removeEventListener("keydown", hold, { capture: true });
  removeEventListener("pointerdown", giveUp, { capture: true });
}

function hasFocusMoved(): boolean {
  const { activeElement, body } = document;
  return activeElement !== focusBefore && activeElement !== body;
}

/** Enter in the field above a list takes what that points at, which may still be looked for. */
function hasResult(): boolean {
  return !document.activeElement?.matches("[aria-autocomplete=list]:not([aria-activedescendant])");
}

/** Waits until it is so, for so many frames at most. Returns whether it is so. */
async function within(frames: number, isSo: () => boolean): Promise<boolean> {
  for (let frame = 0; frame < frames && !isSo(); frame++)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  return isSo();
}

function press({ key, code, shiftKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body;
  const like = { key, code, shiftKey, bubbles: true, cancelable: true };
  const isFree = target.dispatchEvent(new KeyboardEvent("keydown", like));
  if (isFree) byDefault(target, key);
  target.dispatchEvent(new KeyboardEvent("keyup", like));
}

/** Does what browsers do by default with a key that a person presses, and not with one that a program sends. */
function byDefault(target: Element, key: string): void {
  const isField = target.matches("input, textarea");
  if (isField && key.length === 1) insert(target, key);
  else if (isField && key === "Backspace") document.execCommand("delete");
  else if (key === "Enter" && target.matches("textarea")) insert(target, "\n");
  else if (isField && key === "Enter") target.closest("form")?.requestSubmit();
  else if (target.matches("button, a") && (key === "Enter" || key === " ")) (target as HTMLElement).click();
}

/** Browsers do not announce text that a program inserts; React Aria marks the first result only after the announcement. */
function insert(target: Element, data: string): void {
  const inputType = "insertText";
  target.dispatchEvent(new InputEvent("beforeinput", { inputType, data, bubbles: true, cancelable: true }));
  document.execCommand(inputType, false, data);
}
