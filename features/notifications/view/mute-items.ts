// "Mute" in the menus of servers, categories, channels and conversations: for how long is chosen in its submenu.
import { Bell, BellOff } from "lucide-react";
import type { OwnServer } from "../../../client/servers.ts";
import { eachOf } from "../../../web/ui/browser/each-of.ts";
import { tellRefused } from "../../../web/ui/loading/tell-refused.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { agoOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { channelsOfCategory } from "../../channels/view/of-category.ts";
import { endOf, isMuted, menuMutings, ofChannel, untilUnmuted } from "./levels.ts";
import { type Place, setWanted, useWanted } from "./place.ts";
import { useMutedNow } from "./use-muted.ts";

export function useMuteItems(place: Place): readonly MenuItem[] {
  const wanted = useWanted(place);
  return useItems(wanted.mutedUntil, (mutedUntil) => setWanted(place, { ...wanted, mutedUntil }));
}

/** The item in the menu of a category: of all its channels, which are muted until the first of them no longer is. */
export function useCategoryMuteItems({ server, name }: { server: OwnServer; name: string }) {
  const { chat } = useHouse();
  const settings = useCopy((copy) => copy.notificationSettings);
  const all = channelsOfCategory(server, name).map((channel) => ({
    channel,
    wanted: ofChannel(settings, channel.id),
  }));
  const now = Date.now();
  const ends = all.map(({ wanted }) => (isMuted(wanted, now) ? wanted.mutedUntil : null));
  const until = ends.includes(null) ? null : (ends.toSorted()[0] ?? null);
  return useItems(until, async (mutedUntil) => {
    await eachOf(all, async ({ channel }) => {
      // The present ones: with many channels, another device can change the last ones meanwhile.
      const wanted = ofChannel(chat.state.copy?.notificationSettings ?? settings, channel.id);
      // A channel that is muted for longer stays so.
      if (!mutedUntil || (wanted.mutedUntil ?? "") < mutedUntil)
        await setWanted({ channel }, { ...wanted, mutedUntil });
    });
  });
}

/** `set` changes when the mute ends; it throws CallError. */
function useItems(
  mutedUntil: string | null,
  set: (mutedUntil: string | null) => Promise<void>,
): readonly MenuItem[] {
  const { notifications: words } = useWords();
  const isMutedNow = useMutedNow(mutedUntil);
  const change = (until: string | null) => void set(until).catch(tellRefused);
  if (!isMutedNow) {
    const items = menuMutings.map((muting) => ({
      id: `mute-${muting}`,
      label: words.muteTimes[muting],
      onChoose: () => change(endOf(muting, new Date())),
    }));
    return [{ id: "mute", label: words.mute, icon: BellOff, items }];
  }
  const hasEnd = mutedUntil !== null && mutedUntil !== untilUnmuted;
  return [
    {
      id: "unmute",
      label: hasEnd ? words.unmuteUntil(agoOf(new Date(mutedUntil))) : words.unmute,
      icon: Bell,
      onChoose: () => change(null),
    },
  ];
}
