// The item in the menu of a person that blocks and unblocks them.
import { UserRoundX } from "lucide-react";
import { announce } from "../../../web/ui/browser/announce.ts";
import { tellRefused } from "../../../web/ui/loading/tell-refused.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { blockUser, unblockUser } from "../calls.ts";
import { useBlocked } from "./blocks.ts";

/** Returns the item; none in the reader's own menu, as people cannot block themselves. */
export function useBlockItem({ user }: { user: Pick<User, "id" | "display_name"> }): readonly MenuItem[] {
  const { blocks: words } = useWords();
  const ownId = useCopy((copy) => copy.user.id);
  const isBlocked = useBlocked(user.id);
  if (user.id === ownId) return [];
  const toggle = async () => {
    const call = isBlocked ? unblockUser : blockUser;
    try {
      await call({ params: { userID: user.id } });
      announce(isBlocked ? words.unblocked(user.display_name) : words.blocked(user.display_name));
    } catch (error) {
      tellRefused(error);
    }
  };
  return [
    {
      id: "block",
      label: isBlocked ? words.unblock : words.block,
      icon: UserRoundX,
      onChoose: () => void toggle(),
    },
  ];
}
