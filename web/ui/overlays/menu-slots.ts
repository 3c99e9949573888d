// Slots in menus: extension points for items of later features, which the menu's own feature cannot know.
import type { MenuItem } from "./menu.tsx";

/** A hook, so that it can use words and the copy. Returns an empty list when it has nothing to offer. */
type UseItems<Props> = (props: Props) => readonly MenuItem[];

interface MenuSlot<Props> {
  /** Groups of items; a separator is shown between them. */
  readonly filledWith: (readonly UseItems<Props>[])[];
}

export function menuSlot<Props>(): MenuSlot<Props> {
  return { filledWith: [] };
}

/** Adds a group of items to a menu; `web/menus.ts` calls this before any menu is rendered. */
export function fillMenu<Props>(place: MenuSlot<Props>, ...group: UseItems<Props>[]): void {
  place.filledWith.push(group);
}

/** Returns the hook for all items of the menu: `own` and the first group, then the others as they were added. */
export function menuOf<Props>(
  place: MenuSlot<Props>,
  props: Props,
  own: readonly MenuItem[] = [],
): () => readonly MenuItem[] {
  return function useItems() {
    return useMenuItems(place, props, own);
  };
}

function useMenuItems<Props>(
  { filledWith }: MenuSlot<Props>,
  props: Props,
  own: readonly MenuItem[],
): readonly MenuItem[] {
  const items = [...own];
  for (const [at, group] of filledWith.entries()) {
    // biome-ignore lint/correctness/useHookAtTopLevel: slots are filled before anything is drawn, so their number stays.
    const [first, ...others] = group.flatMap((useItems) => useItems(props));
    if (!first) continue;
    items.push(at > 0 && items.length > 0 ? { ...first, isApart: true } : first, ...others);
  }
  return items;
}
