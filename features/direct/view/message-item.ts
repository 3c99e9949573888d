// The item in the menu of a member that opens the conversation with them.
import { MessageCircle } from "lucide-react";
import { CallError } from "../../../client/call.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { useOpen } from "./use-open.ts";

export function useMessageItem({ user }: { user: User }): readonly MenuItem[] {
  const { direct: words } = useWords();
  const ownId = useCopy((copy) => copy.user.id);
  const open = useOpen();
  if (user.id === ownId) return [];
  const onRefused = (error: unknown) =>
    showToast({ text: words.cannotOpen(CallError.from(error).message), isAlert: true });
  return [
    {
      id: "message",
      label: words.message,
      icon: MessageCircle,
      onChoose: () => void open([user.id]).catch(onRefused),
    },
  ];
}
