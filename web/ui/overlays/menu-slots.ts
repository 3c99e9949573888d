// Slots in menus: extension points for items of later features, which the menu's own feature cannot know.
import type { MenuItem } from "./menu.tsx";

/** A hook, so that it can use words and the copy. Returns an empty list when it has nothing to offer. */
type UseItems<Props> = (props: Props) => readonly MenuItem[];

interface MenuSlot<Props> {
  readonly filledWith: UseItems<Props>[];
}

export function menuSlot<Props>(): MenuSlot<Props> {
  return { filledWith: [] };
}

/** Adds items to a menu; `web/menus.ts` calls this before any menu is rendered. */
export function fillMenu<Props>(place: MenuSlot<Props>, useItems: UseItems<Props>): void {
  place.filledWith.push(useItems);
}

/** Returns the hook for all items of the menu: `own` first, then the others in the order in which they were added. */
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
  // biome-ignore lint/correctness/useHookAtTopLevel: slots are filled before anything is drawn, so their number stays.
  for (const useItems of filledWith) items.push(...useItems(props));
  return items;
}
