// A button that opens a menu. What the menu is made of is loaded when the page is idle, or with the first one.
import type { LucideIcon } from "lucide-react";
import { type ReactNode, type RefObject, Suspense, useRef, useState } from "react";
import { IconButton } from "./button.tsx";
import { lazily } from "./lazily.ts";

export interface MenuItem {
  id: string;
  label: string;
  icon?: LucideIcon;
  /** The keys that do the same: "Ctrl K". */
  keys?: string;
  isDanger?: boolean;
  /** A line stands above it. */
  isApart?: boolean;
  onChoose(): void;
}

export type Placement = "bottom end" | "bottom start" | "top start" | "top end" | "right top";

interface Props {
  label: string;
  icon: LucideIcon;
  items: readonly MenuItem[];
  placement?: Placement;
}

export const MenuOverlay = lazily(() => import("./menu-overlay.tsx"));

export function MenuButton({ icon, ...menu }: Props) {
  return (
    <MenuOpener {...menu}>{(opener) => <IconButton {...opener} label={menu.label} icon={icon} />}</MenuOpener>
  );
}

/** What makes a button the opener of a menu. */
export interface Opener {
  ref: RefObject<HTMLButtonElement | null>;
  "aria-haspopup": "menu";
  "aria-expanded": boolean;
  onClick(): void;
}

interface OpenerProps extends Omit<Props, "icon"> {
  children(opener: Opener): ReactNode;
}

/** A menu whose button looks as its children say. */
export function MenuOpener({ label, items, placement, children }: OpenerProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const opener: Opener = {
    ref: button,
    "aria-haspopup": "menu",
    "aria-expanded": isOpen,
    onClick: () => setOpen(!isOpen),
  };
  return (
    <>
      {children(opener)}
      {isOpen && (
        <Suspense>
          <MenuOverlay
            label={label}
            items={items}
            anchor={button}
            {...(placement && { placement })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
