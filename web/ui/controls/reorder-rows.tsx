// The lazily loaded implementation of reorder lists: React Aria's grid list, with rows dragged by pointer or keyboard.
import { GripVertical, Lock } from "lucide-react";
import { useRef } from "react";
import {
  Button,
  DropIndicator,
  type DroppableCollectionReorderEvent,
  GridList,
  GridListItem,
  useDragAndDrop,
} from "react-aria-components";
import { Icon } from "./icon.tsx";
import styles from "./reorder-list.module.css";
import type { ReorderItem, ReorderProps } from "./reorder-list.tsx";

export default function ReorderRows({ label, items, chosenId, handleName, onChoose, onOrder }: ReorderProps) {
  const dragAndDropHooks = useOrdering(items, onOrder);
  return (
    <GridList
      aria-label={label}
      items={items}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={chosenId === undefined ? [] : [chosenId]}
      onSelectionChange={(keys) => {
        const [key] = keys === "all" ? [] : keys;
        if (key !== undefined) onChoose(String(key));
      }}
      dragAndDropHooks={dragAndDropHooks}
      dependencies={[chosenId]}
      className={styles.list ?? ""}
    >
      {(item) => (
        <GridListItem id={item.id} textValue={item.name} className={styles.row ?? ""}>
          <Button
            slot="drag"
            aria-label={handleName(item.name)}
            isDisabled={item.isFixed}
            className={styles.handle ?? ""}
          >
            <Icon of={item.isFixed ? Lock : GripVertical} size={14} />
          </Button>
          {item.content}
        </GridListItem>
      )}
    </GridList>
  );
}

/** Fixed rows cannot be dragged, and rows can be dropped only at a gap next to a row that is not fixed. */
function useOrdering(items: readonly ReorderItem[], onOrder: (ids: readonly string[]) => void) {
  const dragged = useRef<string>(undefined);
  const isFixed = (id: string) => items.find((item) => item.id === id)?.isFixed ?? true;
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": nameOf(items, String(key)) })),
    onDragStart: ({ keys }) => {
      dragged.current = [...keys].map(String)[0];
    },
    getDropOperation: (target) => {
      const isOwn = dragged.current !== undefined && !isFixed(dragged.current);
      return isOwn && target.type === "item" && touchesFree(items, String(target.key), target.dropPosition)
        ? "move"
        : "cancel";
    },
    onReorder: ({ keys, target }: DroppableCollectionReorderEvent) => {
      const [moved] = [...keys].map(String);
      if (moved === undefined || isFixed(moved)) return;
      const others = items.map(({ id }) => id).filter((id) => id !== moved);
      const at = others.indexOf(String(target.key)) + (target.dropPosition === "after" ? 1 : 0);
      onOrder(others.toSpliced(at, 0, moved));
    },
    renderDropIndicator: (target) => <DropIndicator target={target} className={styles.drop ?? ""} />,
  });
  return dragAndDropHooks;
}

/** True if one of the two rows at this gap is movable. */
function touchesFree(items: readonly ReorderItem[], id: string, side: "before" | "after" | "on"): boolean {
  if (side === "on") return false;
  const at = items.findIndex((item) => item.id === id) + (side === "after" ? 1 : 0);
  return [items[at - 1], items[at]].some((item) => item?.isFixed === false);
}

function nameOf(items: readonly ReorderItem[], id: string): string {
  return items.find((item) => item.id === id)?.name ?? "";
}
