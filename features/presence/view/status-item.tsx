// "Set status" in the user's own menu, "You".
import { SmilePlus } from "lucide-react";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../web/ui/words/words.ts";

const StatusDialog = laterWithKeys(async () => (await import("./status-dialog.tsx")).StatusDialog);

export function useStatusItem(): readonly MenuItem[] {
  const { presence: words } = useWords();
  return [
    {
      id: "status",
      label: words.setStatus,
      icon: SmilePlus,
      onChoose: () => openOver((close) => <StatusDialog onClose={close} />),
    },
  ];
}
