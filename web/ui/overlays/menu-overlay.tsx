// The lazily loaded part of menus: React Aria's menu.
import { ArrowLeft, Check, ChevronRight } from "lucide-react";
import { type ComponentProps, Fragment, type ReactElement, useLayoutEffect, useState } from "react";
import {
  Menu,
  MenuSection,
  MenuItem as Option,
  Popover,
  Separator,
  SubmenuTrigger,
  setInteractionModality,
  Text,
} from "react-aria-components";
import { flushSync } from "react-dom";
import { classNames } from "../browser/class-names.ts";
import { useFrameWidth } from "../browser/frame-width.ts";
import { Icon } from "../controls/icon.tsx";
import { useBackCloses } from "../navigation/back-closes.ts";
import { useAnchored } from "./anchored.ts";
import floating from "./floating.module.css";
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
  const anchored = useAnchored(anchor);
  useBackCloses(onClose);
  useFocusAtOnce(anchor);
  const [openId, setOpenId] = useState<string>();
  const choose = (item: MenuItem | undefined) => {
    if (item?.isTicked !== undefined) {
      item.onChoose?.();
      return;
    }
    // Unmounts the menu synchronously, because it keeps the focus until then: keys pressed before the next frame
    // are meant for the chosen item. A dialog that opens will restore the focus to the anchor.
    flushSync(onClose);
    anchor.current?.focus();
    item?.onChoose?.();
  };
  const isNarrow = useFrameWidth() === "narrow";
  const open = isNarrow ? items.find(({ id }) => id === openId) : undefined;
  return (
    <Popover
      isOpen
      aria-label={label}
      triggerRef={anchored}
      placement={placement}
      offset={4}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={sheet}
      data-title={label}
    >
      {isNarrow ? (
        <List
          key={open?.id}
          label={open?.label ?? label}
          items={open ? [{ id: backId, label: open.label, icon: ArrowLeft }, ...(open.items ?? [])] : items}
          onChoose={(item) => {
            if (item?.id === backId) setOpenId(undefined);
            else if (item?.items) setOpenId(item.id);
            else choose(item);
          }}
        />
      ) : (
        <List label={label} items={items} onChoose={choose} isNested />
      )}
    </Popover>
  );
}

const sheet = classNames(floating.card, styles.sheet);
const backId = "back";
/** How long a pointer rests on an item until its submenu opens, in milliseconds. */
const restMs = 120;
/** Space between an item and what lies around it in its menu, with the border. */
const insetPx = 5;
/** Distance between an item and its submenu, which begins as far from the menu as that does from its opener. */
const besidePx = insetPx + 4;

/**
 * Moves the focus to the first item without delay. A press of Enter is a click that React Aria takes for a screen
 * reader's; it then moves the focus a frame later, to the menu instead of the item with the ring.
 */
function useFocusAtOnce(anchor: MenuProps["anchor"]): void {
  useLayoutEffect(() => {
    if (anchor.current?.matches(":focus-visible")) setInteractionModality("keyboard");
  }, [anchor]);
}

interface ListProps {
  label: string;
  items: readonly MenuItem[];
  onChoose(item: MenuItem | undefined): void;
  /** Submenus open beside their items. */
  isNested?: boolean;
  /** The list is a submenu, which gets the focus when a key opens it. */
  isSubmenu?: boolean;
}

function List({ label, items, onChoose, isNested = false, isSubmenu = false }: ListProps) {
  const others = items.filter(({ isTicked }) => isTicked === undefined);
  const ticks = items.filter(({ isTicked }) => isTicked !== undefined);
  return (
    <Menu
      aria-label={label}
      {...(!isSubmenu && { autoFocus: "first" as const })}
      className={styles.menu ?? ""}
      onAction={(id) => onChoose(items.find((item) => item.id === id))}
    >
      {others.map((item) => (
        <Fragment key={item.id}>
          {item.isApart && <Separator className={styles.line ?? ""} />}
          {isNested && item.items ? (
            <SubmenuTrigger delay={restMs}>
              {optionOf(item)}
              <Popover offset={besidePx} crossOffset={-insetPx} className={sheet}>
                <List label={item.label} items={item.items} onChoose={onChoose} isSubmenu />
              </Popover>
            </SubmenuTrigger>
          ) : (
            optionOf(item)
          )}
        </Fragment>
      ))}
      {ticks.length > 0 && (
        <MenuSection
          aria-label={label}
          selectionMode="multiple"
          selectedKeys={ticks.filter(({ isTicked }) => isTicked).map(({ id }) => id)}
        >
          {ticks.map((item) => (
            <Fragment key={item.id}>{optionOf(item)}</Fragment>
          ))}
        </MenuSection>
      )}
    </Menu>
  );
}

function optionOf({ id, label, icon, color, isTicked, keys, spokenKeys, ...item }: MenuItem): ReactElement {
  return (
    <Option
      id={id}
      textValue={label}
      // The keys are no part of the name.
      aria-label={label}
      isDisabled={item.isDisabled ?? false}
      shouldCloseOnSelect={isTicked === undefined}
      className={classNames(styles.item, item.isDanger && styles.danger)}
      render={(option) => <div {...(option as ComponentProps<"div">)} aria-keyshortcuts={spokenKeys} />}
    >
      {isTicked !== undefined && (
        <span className={styles.box}>{isTicked && <Icon of={Check} size={14} />}</span>
      )}
      {color && <span className={styles.swatch} style={{ "--swatch": color }} />}
      {icon && <Icon of={icon} size={16} />}
      <span className={styles.label}>{label}</span>
      {item.detail && (
        <Text slot="description" className={styles.detail ?? ""}>
          {item.detail}
        </Text>
      )}
      {keys && <kbd>{keys}</kbd>}
      {item.items && (
        <span className={styles.further}>
          <Icon of={ChevronRight} size={16} />
        </span>
      )}
    </Option>
  );
}
