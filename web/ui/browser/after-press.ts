// The end of a press: what moves during it takes the pressed button away from under the pointer, and nothing is clicked.

let isPressed = false;
const note = ({ type }: Event) => {
  isPressed = type === "pointerdown";
};
for (const type of ["pointerdown", "pointerup", "pointercancel"]) addEventListener(type, note, true);

/** Runs after the click of the present press; without one, after the events of now, as a finger presses when it lifts. */
export function afterPress(run: () => void): void {
  if (!isPressed) {
    setTimeout(run);
    return;
  }
  const released = () => {
    removeEventListener("pointerup", released, true);
    removeEventListener("pointercancel", released, true);
    setTimeout(run);
  };
  addEventListener("pointerup", released, true);
  addEventListener("pointercancel", released, true);
}
