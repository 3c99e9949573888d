// A button that opens a menu. The menu's code is loaded when the page is idle, or on first use.
import type { LucideIcon } from "lucide-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { IconButton } from "../controls/button.tsx";
import { laterWithKeys } from "../loading/later.tsx";

export interface MenuItem {
  id: string;
  label: string;
  icon?: LucideIcon;
  /** The keyboard shortcut for the same action, as people read it: "Del". */
  keys?: string;
  /** The same in the format of `aria-keyshortcuts`. */
  spokenKeys?: string;
  /** The present choice, at the end of the line. */
  detail?: string;
  isDanger?: boolean;
  /** A separator is shown above it. */
  isApart?: boolean;
  isDisabled?: boolean;
  /** True if it is ticked; undefined for items without a tick. Choosing one with a tick leaves the menu open. */
  isTicked?: boolean;
  /** The chosen colour of its subject, as a swatch. */
  color?: string;
  /** The items of its submenu. */
  items?: readonly MenuItem[];
  /** An item with a submenu has none. */
  onChoose?(): void;
}

/** The items, or a hook that returns them, which runs only while the menu is open. */
type MenuItems = readonly MenuItem[] | (() => readonly MenuItem[]);

type Placement = "bottom end" | "bottom start" | "top start" | "top end" | "right top";

export interface MenuProps {
  label: string;
  items: MenuItems;
  /** The opener: the menu is placed beside it, and restores the focus to it. */
  anchor: RefObject<HTMLElement | null>;
  placement?: Placement;
  onClose(): void;
}

interface Props extends Pick<MenuProps, "label" | "items" | "placement"> {
  icon: LucideIcon;
}

/** Loaders that have to finish before the first menu opens: the items and message actions of later features. */
const prepared: (() => Promise<unknown>)[] = [];

export function prepareMenus(load: () => Promise<unknown>): void {
  prepared.push(load);
}

/** Runs these loaders in parallel with loading a view that shows menus. */
export async function withMenus<T>(views: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([views, ...prepared.map((load) => load())]);
  return loaded;
}

export const MenuOverlay = laterWithKeys<MenuProps>(
  async () => (await withMenus(import("./menu-overlay.tsx"))).MenuOverlay,
);

export function MenuButton({ icon, ...menu }: Props) {
  return (
    <MenuOpener {...menu}>{(opener) => <IconButton {...opener} label={menu.label} icon={icon} />}</MenuOpener>
  );
}

/** The props that make a button the opener of a menu. */
export interface Opener {
  ref: RefObject<HTMLButtonElement | null>;
  "aria-haspopup": "menu";
  "aria-expanded": boolean;
  onClick(): void;
}

interface OpenerProps extends Omit<Props, "icon"> {
  children(opener: Opener): ReactNode;
}

/** A menu whose button is rendered by `children`. */
export function MenuOpener({ children, ...menu }: OpenerProps) {
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
      {isOpen && <MenuOverlay {...menu} anchor={button} onClose={() => setOpen(false)} />}
    </>
  );
}
