// A button that opens a menu. What the menu is made of is loaded when the page is idle, or with the first one.
import type { LucideIcon } from "lucide-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { IconButton } from "../controls/button.tsx";
import { laterWithKeys } from "../loading/later.tsx";

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

/** Its items; or the hook that returns them, which runs only while the menu is open. */
type MenuItems = readonly MenuItem[] | (() => readonly MenuItem[]);

type Placement = "bottom end" | "bottom start" | "top start" | "top end" | "right top";

export interface MenuProps {
  label: string;
  items: MenuItems;
  /** What opened it: it stands beside that, and gives the focus back to it. */
  anchor: RefObject<HTMLElement | null>;
  placement?: Placement;
  onClose(): void;
}

interface Props extends Pick<MenuProps, "label" | "items" | "placement"> {
  icon: LucideIcon;
}

/** What has to be there before the first menu opens: the items of later features, and what they do with messages. */
const prepared: (() => Promise<unknown>)[] = [];

export function prepareMenus(load: () => Promise<unknown>): void {
  prepared.push(load);
}

/** Loads that beside views which show it. */
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
