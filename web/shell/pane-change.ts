// On a phone one pane takes the other's place by a view transition: deeper in from the end, and back the other way.
import { flushSync } from "react-dom";
import { frameWidth } from "../ui/browser/frame-width.ts";
import { isReduced } from "../ui/browser/motion.ts";
import { isHeld, stepBy } from "../ui/navigation/leaving.ts";

type Pane = "side" | "mentions" | "room" | "panel";

const depths: Readonly<Record<Pane, number>> = { side: 0, mentions: 0, room: 1, panel: 2 };

/** What is shown, as far as the address says. */
let current = paneOf(location.href);
/** The event that is passed on, which is not to be caught again. */
let passedOn: Event | undefined;
let isByHand = false;

stepBy((go, to) => change(paneOf(new URL(to, location.href).href), go));

/** The finger has moved the pane away already. */
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
  // Another one may begin before this one is over: it goes on at once.
  ready.catch(() => {});
  finished.finally(() => delete root.dataset.pane).catch(() => {});
}

/** Undefined for what is no pane of the frame: settings, say. */
function paneOf(href: string): Pane | undefined {
  const { pathname, searchParams } = new URL(href);
  const shown = searchParams.get("show");
  if (shown === "mentions") return "mentions";
  if (pathname === "/" || /^\/servers\/[^/]+$/.test(pathname)) return "side";
  if (!/^\/servers\/[^/]+\/channels\//.test(pathname)) return undefined;
  return shown === "members" ? "panel" : "room";
}

// By then the address has changed, and nothing is drawn yet: the router hears of it once the old pane is on the picture.
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
