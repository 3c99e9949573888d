// The regions of the page that F6 cycles through, the last focus in each, and a guard against losing the focus.
import { useEffect } from "react";
import { isGivingBack } from "../ui/browser/openers.ts";

const regions = ["call", "servers", "channels", "messages", "composer", "panel", "toast"] as const;

type RegionName = (typeof regions)[number];

/** The element in each region that had the focus last. */
const last = new WeakMap<Element, HTMLElement>();

const stops = "a[href], button, textarea, input, select, [tabindex='0']";

/** Moves the focus to the next or previous region on the page; from anywhere to a call that rings. */
export function focusNextRegion(step: 1 | -1): void {
  const ringing = regionCalled("call");
  if (ringing && !ringing.contains(document.activeElement) && focusIn(ringing)) return;
  const there = regions.flatMap((name) => regionCalled(name) ?? []);
  if (there.length === 0) return;
  const at = there.findIndex((region) => region.contains(document.activeElement));
  const from = at < 0 && step < 0 ? 0 : at;
  for (let i = 1; i <= there.length; i++) {
    const next = there[(from + step * i + there.length * 2) % there.length];
    if (next && focusIn(next)) return;
  }
}

function focusRegion(name: RegionName): boolean {
  const region = regionCalled(name);
  return region !== undefined && focusIn(region);
}

/** Moves the focus to the messages; to the composer where there are none. */
export function focusMessages(): void {
  if (!focusRegion("messages")) focusRegion("composer");
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
    region.querySelector<HTMLElement>("article[tabindex='0']"),
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

/** How long React Aria may take to restore the focus after an overlay is gone, in milliseconds. */
const settleMs = 80;

/** When the focused element is removed (a deleted message, a hidden channel), focuses the nearest remaining one. */
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

/** True if the element is within a part of the page: the first stop of the whole page would be too far away. */
function isPart(element: Element): boolean {
  return element.closest("[data-region], main, aside, nav") !== null;
}
