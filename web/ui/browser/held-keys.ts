// Holds keys that are pressed while the part of the page that they are meant for is loading, and replays them there.

/** The number of parts being loaded that will take the keys. */
let awaited = 0;
let isListening = false;
let isReplaying = false;
/** The number of the last requested part. */
let part = 0;
/** The number of the last part that got the focus. */
let partThere = 0;
/** True if Escape was pressed. */
let isLeft = false;
let focusBefore: Element | null = null;
/** The focusable elements at the time of the last request. */
let focusable = new WeakSet<Element>();
let held: KeyboardEvent[] = [];
let patience: ReturnType<typeof setTimeout> | undefined;

/** Keys that lead elsewhere in the page. */
const leadsOn = /^(?:Tab|F6)$/;
/** Keys of the browser, such as reload and developer tools. */
const ofBrowser = /^F\d+$/;
const mostKeys = 200;
/**
 * After this many milliseconds, held keys are dropped and keys work as usual again, as after a press of the pointer or
 * a key that leads elsewhere.
 */
const patienceMs = 30_000;
/** The most frames until a loaded part has the focus and its list points at a result. */
const mostFrames = 120;
/** The frames to wait after a key that may open another part by choosing or closing. */
const framesAfterChoice = 6;

/** Starts holding keys. Returns a function to call when the part is loaded, or has failed to load. */
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
    // The menu that opens a part restores the focus while that part is loading.
    const { activeElement } = document;
    if (activeElement && focusable.has(activeElement)) focusBefore = activeElement;
    if (awaited === 0 && !isReplaying) void replay();
  };
}

/** Holds keys again after Escape, because another dialog was requested since, which the next keys are meant for. */
export function holdAgain(): void {
  if (!isLeft) return;
  isLeft = false;
  held = [];
}

function hold(event: KeyboardEvent): void {
  // Replayed keys are untrusted and pass; commands and input methods work as usual.
  if (!event.isTrusted || isLeft || isCommand(event) || event.isComposing) return;
  if (leadsOn.test(event.key)) giveUp();
  if (leadsOn.test(event.key) || ofBrowser.test(event.key)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.key === "Escape") leave();
  if (held.length < mostKeys) held.push(event);
}

/** Escape cancels: it will close the loading part, and later keys go to the page immediately. */
function leave(): void {
  held = [];
  isLeft = true;
}

/** True if it is a command. Windows also reports Control and Alt when AltGr types a character, which is none. */
function isCommand(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
}

/** Replays the held keys. Stops when another part is being loaded, which resumes it. */
async function replay(): Promise<void> {
  isReplaying = true;
  while (isListening && awaited === 0) {
    const waitedFor = part;
    const isThere = partThere === waitedFor || (await within(mostFrames, hasFocusMoved));
    if (isThere && held[0]?.key === "Enter") await within(mostFrames, hasResult);
    // Another part was requested meanwhile: the keys are meant for that one.
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

/** True if the list below a field points at a result, which Enter takes; a search may still be running. */
function hasResult(): boolean {
  return !document.activeElement?.matches("[aria-autocomplete=list]:not([aria-activedescendant])");
}

/** Waits for a condition, for at most `frames` frames. Returns whether it holds. */
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

/** Performs the default action of a key, which browsers omit for dispatched events. */
function byDefault(target: Element, key: string): void {
  const isField = target.matches("input, textarea");
  if (isField && key.length === 1) insert(target, key);
  else if (isField && key === "Backspace") document.execCommand("delete");
  else if (key === "Enter" && target.matches("textarea")) insert(target, "\n");
  else if (isField && key === "Enter") target.closest("form")?.requestSubmit();
  else if (target.matches("button, a") && (key === "Enter" || key === " ")) (target as HTMLElement).click();
}

/** Inserts text with a `beforeinput` event, which browsers omit here: React Aria needs it to mark the first result. */
function insert(target: Element, data: string): void {
  const inputType = "insertText";
  target.dispatchEvent(new InputEvent("beforeinput", { inputType, data, bubbles: true, cancelable: true }));
  document.execCommand(inputType, false, data);
}
