// The lazily loaded part of menus: React Aria's menu.
import { Fragment } from "react";
import { Menu, MenuItem as Option, Popover, Separator } from "react-aria-components";
import { flushSync } from "react-dom";
import { classNames } from "../browser/class-names.ts";
import { Icon } from "../controls/icon.tsx";
import { useBackCloses } from "../navigation/back-closes.ts";
import styles from "./menu.module.css";
import type { MenuItem, MenuProps } from "./menu.tsx";

/** Takes the items, or a hook that returns them while the menu is open. */
export function MenuOverlay({ items, ...menu }: MenuProps) {
  return typeof items === "function" ? (
    <HookedMenu {...menu} useItems={items} />
  ) : (
    <ListedMenu {...menu} items={items} />
  );
}

type Shared = Omit<MenuProps, "items">;

function HookedMenu({ useItems, ...menu }: Shared & { useItems(): readonly MenuItem[] }) {
  return <ListedMenu {...menu} items={useItems()} />;
}

type ListedProps = Shared & { items: readonly MenuItem[] };

function ListedMenu({ label, items, anchor, placement = "bottom end", onClose }: ListedProps) {
  useBackCloses(onClose);
  return (
    <Popover
      isOpen
      aria-label={label}
      triggerRef={anchor}
      placement={placement}
      offset={4}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={styles.sheet ?? ""}
    >
      <Menu
        aria-label={label}
        autoFocus="first"
        className={styles.menu ?? ""}
        onAction={(id) => {
          // Unmounts the menu synchronously, because it keeps the focus until then: keys pressed before the next frame
          // are meant for the chosen item. A dialog that opens will restore the focus to the anchor.
          flushSync(onClose);
          anchor.current?.focus();
          items.find((item) => item.id === id)?.onChoose();
        }}
      >
        {items.map(({ id, label, icon, keys, isDanger, isApart }) => (
          <Fragment key={id}>
            {isApart && <Separator className={styles.line ?? ""} />}
            <Option id={id} textValue={label} className={classNames(styles.item, isDanger && styles.danger)}>
              {icon && <Icon of={icon} size={16} />}
              {label}
              {keys && <kbd>{keys}</kbd>}
            </Option>
          </Fragment>
        ))}
      </Menu>
    </Popover>
  );
}
