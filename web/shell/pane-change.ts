// On a phone panes change by a view transition: going deeper slides in from the end, going back the other way.
import { flushSync } from "react-dom";
import { frameWidth } from "../ui/browser/frame-width.ts";
import { isReduced } from "../ui/browser/motion.ts";
import { isHeld, stepBy } from "../ui/navigation/leaving.ts";

type Pane = "side" | "mentions" | "room" | "panel";

const depths: Readonly<Record<Pane, number>> = { side: 0, mentions: 0, room: 1, panel: 2 };

/** The pane that the address shows. */
let current = paneOf(location.href);
/** The event that was dispatched again, which must not be intercepted a second time. */
let passedOn: Event | undefined;
let isByHand = false;

stepBy((go, to) => change(paneOf(new URL(to, location.href).href), go));

/** Skips the next transition: a swipe has moved the pane away already. */
export function changedByHand(): void {
  isByHand = true;
}

function change(next: Pane | undefined, go: () => void): void {
  const before = current;
  current = next;
  const isStill = isByHand || frameWidth() !== "narrow" || isReduced() || !document.startViewTransition;
  isByHand = false;
  if (isStill || before === next || before === undefined || next === undefined) {
    go();
    return;
  }
  const root = document.documentElement;
  const way = Math.sign(depths[next] - depths[before]);
  root.dataset.pane = way > 0 ? "deeper" : way < 0 ? "back" : "beside";
  const { finished, ready } = document.startViewTransition(() => flushSync(go));
  // Rejects when another transition begins before this one is ready.
  ready.catch(() => {});
  finished.finally(() => delete root.dataset.pane).catch(() => {});
}

/** Returns undefined for pages outside the frame, such as settings. */
function paneOf(href: string): Pane | undefined {
  const { pathname, searchParams } = new URL(href);
  const shown = searchParams.get("show");
  if (shown === "mentions") return "mentions";
  if (/^\/(servers\/[^/]+|direct)?$/.test(pathname)) return "side";
  if (!/^\/(servers\/[^/]+\/channels|direct)\//.test(pathname)) return undefined;
  return shown === "members" ? "panel" : "room";
}

// The address has changed but nothing is rendered yet: the router gets the event once the old pane is captured.
addEventListener(
  "popstate",
  (event) => {
    if (event === passedOn || isHeld()) return;
    const next = paneOf(location.href);
    if (event.hasUAVisualTransition || next === current) {
      isByHand = false;
      current = next;
      return;
    }
    event.stopImmediatePropagation();
    change(next, () => {
      passedOn = new PopStateEvent("popstate", { state: event.state });
      dispatchEvent(passedOn);
    });
  },
  { capture: true },
);
