// The part of menus that is loaded later: React Aria's menu over the page.
import { Fragment, type RefObject } from "react";
import { Menu, MenuItem as Option, Popover, Separator } from "react-aria-components";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import styles from "./menu.module.css";
import type { MenuItem, Placement } from "./menu.tsx";

interface Props {
  label: string;
  items: readonly MenuItem[];
  /** What opened it: it stands beside that, and gives the focus back to it. */
  anchor: RefObject<HTMLElement | null>;
  placement?: Placement;
  onClose(): void;
}

export default function MenuOverlay({ label, items, anchor, placement = "bottom end", onClose }: Props) {
  return (
    <Popover
      isOpen
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
          onClose();
          // The menu keeps the focus until it is gone. A dialog that opens then gives it back to what has it then.
          requestAnimationFrame(() => {
            anchor.current?.focus();
            items.find((item) => item.id === id)?.onChoose();
          });
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
