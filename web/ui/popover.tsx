// A sheet beside what opened it, which keeps the focus until it is closed: pickers, cards.
import { type ReactNode, type RefObject, Suspense } from "react";
import { lazily } from "./lazily.ts";

export interface PopoverProps {
  label: string;
  /** What opened it: it stands beside that, and gives the focus back to it. */
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  placement?: "top end" | "top start" | "bottom end" | "bottom start" | "right top" | "left top";
  children: ReactNode;
}

const load = () => import("./popover-overlay.tsx");
const Overlay = lazily(load);

/** Loads it before it is wanted. */
export function preparePopover(): void {
  load().catch(() => {});
}

/** Loaded when the page is idle, or with the first one. */
export function Popover(props: PopoverProps) {
  return (
    <Suspense>
      <Overlay {...props} />
    </Suspense>
  );
}
