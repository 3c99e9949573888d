// Messages that are hidden while the server still has them, because they are being deleted.
import { create } from "zustand";

export const useGoing = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

export function setGoing(id: string, isGoing: boolean): void {
  useGoing.setState(({ ids }) => {
    const after = new Set(ids);
    if (isGoing) after.add(id);
    else after.delete(id);
    return { ids: after };
  });
}
