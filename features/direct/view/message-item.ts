// The item in the menu of a member that opens the conversation with them.
import { MessageCircle } from "lucide-react";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { useOpenWith } from "./use-open.ts";

export function useMessageItem({ user }: { user: Pick<User, "id"> }): readonly MenuItem[] {
  const { direct: words } = useWords();
  const ownId = useCopy((copy) => copy.user.id);
  const openWith = useOpenWith();
  if (user.id === ownId) return [];
  return [{ id: "message", label: words.message, icon: MessageCircle, onChoose: () => openWith(user.id) }];
}
