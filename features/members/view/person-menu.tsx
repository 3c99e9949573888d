// The menu of a person: at their row in the list of members, and at their name in messages and voice rooms.
import { UserRound } from "lucide-react";
import { MenuOverlay } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { memberMenu } from "./slots.ts";

interface Props {
  /** Null in conversations. */
  serverId: string | null;
  userId: string;
  name: string;
  anchor: HTMLElement;
  /** Opens the card. */
  onProfile(): void;
  onClose(): void;
}

/** The card first, and then the items of later features. */
export function PersonMenu({ serverId, userId, name, anchor, onProfile, onClose }: Props) {
  const { members: words } = useWords();
  const profile = {
    id: "profile",
    label: words.profile,
    icon: UserRound,
    onChoose: onProfile,
  };
  return (
    <MenuOverlay
      label={words.menuOf(name)}
      items={menuOf(memberMenu, { user: { id: userId, display_name: name }, serverId }, [profile])}
      anchor={{ current: anchor }}
      placement="bottom start"
      onClose={onClose}
    />
  );
}
