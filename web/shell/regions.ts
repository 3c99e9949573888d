// The parts of the page that F6 goes through, and what has the focus in each; and no focus is ever lost.
import { useEffect } from "react";
import { isGivingBack } from "../ui/browser/openers.ts";

const regions = ["servers", "channels", "messages", "composer", "panel", "toast"] as const;

type RegionName = (typeof regions)[number];

/** What in a region had the focus last. */
const last = new WeakMap<Element, HTMLElement>();

const stops = "a[href], button, textarea, input, select, [tabindex='0']";

/** Moves the focus to the next region that is there, or to the one before. */
export function focusNextRegion(step: 1 | -1): void {
  const there = regions.flatMap((name) => regionCalled(name) ?? []);
  if (there.length === 0) return;
  const at = there.findIndex((region) => region.contains(document.activeElement));
  const from = at < 0 && step < 0 ? 0 : at;
  for (let i = 1; i <= there.length; i++) {
    const next = there[(from + step * i + there.length * 2) % there.length];
    if (next && focusIn(next)) return;
  }
}

export function focusRegion(name: RegionName): boolean {
  const region = regionCalled(name);
  return region !== undefined && focusIn(region);
}

function regionCalled(name: RegionName): Element | undefined {
  const all = [...document.querySelectorAll(`[data-region="${name}"]`)];
  return all.find((region) => region.getClientRects().length > 0);
}

function focusIn(region: Element): boolean {
  const known = last.get(region);
  const candidates = [
    known?.isConnected && region.contains(known) ? known : null,
    region.querySelector<HTMLElement>("[aria-current=page]"),
    region.querySelector<HTMLElement>("textarea:not([aria-hidden])"),
    ...region.querySelectorAll<HTMLElement>(stops),
  ];
  for (const each of candidates) {
    if (!each || each.tabIndex < 0 || each.getClientRects().length === 0) continue;
    each.focus();
    if (document.activeElement === each) return true;
  }
  return false;
}

/** React Aria gives the focus back within so many milliseconds after an overlay is gone. */
const settleMs = 80;

/** What has the focus may go: a message that is deleted, a channel out of sight. The nearest that lives gets it then. */
export function useFocusGuard(): void {
  useEffect(() => {
    let lineage: Element[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      lineage = [];
      for (let each: Element | null = target; each; each = each.parentElement) lineage.push(each);
      const region = target.closest("[data-region]");
      if (region) last.set(region, target);
    };
    const mend = () => {
      if (document.activeElement !== document.body || lineage[0]?.isConnected !== false) return;
      if (isGivingBack()) {
        timer = setTimeout(mend, settleMs);
        return;
      }
      const living = lineage.find((each) => each.isConnected && each !== document.body);
      if (!(living && isPart(living) && focusIn(living)) && !focusRegion("composer")) focusNextRegion(1);
    };
    const watch = new MutationObserver(() => {
      if (document.activeElement !== document.body || lineage[0]?.isConnected !== false) return;
      clearTimeout(timer);
      timer = setTimeout(mend, settleMs);
    });
    addEventListener("focusin", note);
    watch.observe(document.body, { childList: true, subtree: true });
    return () => {
      removeEventListener("focusin", note);
      watch.disconnect();
      clearTimeout(timer);
    };
  }, []);
}

/** Not the whole page: its first stop is far from where one was. */
function isPart(element: Element): boolean {
  return element.closest("[data-region], main, aside, nav") !== null;
}
