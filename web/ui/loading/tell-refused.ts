// Tells by a toast why a call was refused, outside of the view that made it: a menu has closed by then.
import { refusalOf } from "../words/refusal.ts";
import { showToast } from "./toast.ts";

/** Anything but a CallError is a bug, and thrown again. */
export function tellRefused(thrown: unknown): void {
  showToast({ text: refusalOf(thrown), isAlert: true });
}
