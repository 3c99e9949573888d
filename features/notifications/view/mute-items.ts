// "Mute" in the menus of servers, channels and conversations: for how long is chosen in its submenu.
import { Bell, BellOff } from "lucide-react";
import { CallError } from "../../../client/call.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { agoOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { endOf, menuMutings, untilUnmuted } from "./levels.ts";
import { type Place, setWanted, useWanted } from "./place.ts";
import { useMutedNow } from "./use-muted.ts";

export function useMuteItems(place: Place): readonly MenuItem[] {
  const { notifications: words } = useWords();
  const wanted = useWanted(place);
  const { mutedUntil } = wanted;
  const isMuted = useMutedNow(mutedUntil);
  const set = (until: string | null) =>
    void setWanted(place, { ...wanted, mutedUntil: until }).catch((error: unknown) =>
      showToast({ text: CallError.from(error).message, isAlert: true }),
    );
  if (!isMuted) {
    const items = menuMutings.map((muting) => ({
      id: `mute-${muting}`,
      label: words.muteTimes[muting],
      onChoose: () => set(endOf(muting, new Date())),
    }));
    return [{ id: "mute", label: words.mute, icon: BellOff, items }];
  }
  const hasEnd = mutedUntil !== null && mutedUntil !== untilUnmuted;
  return [
    {
      id: "unmute",
      label: hasEnd ? words.unmuteUntil(agoOf(new Date(mutedUntil))) : words.unmute,
      icon: Bell,
      onChoose: () => set(null),
    },
  ];
}
