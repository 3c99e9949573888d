// "Set status" in the menu of "You".
import { SmilePlus } from "lucide-react";
import { laterWithKeys } from "../../../web/ui/later.tsx";
import type { MenuItem } from "../../../web/ui/menu.tsx";
import { openOver } from "../../../web/ui/opened.tsx";
import { useWords } from "../../../web/ui/words.ts";

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
