// The item in the menu of a server that leaves it; an owner transfers or deletes the server instead.
import { LogOut } from "lucide-react";
import type { OwnServer } from "../../../client/servers.ts";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";

const LeaveServer = laterWithKeys(async () => (await import("./leave-server.tsx")).LeaveServer);

export function useLeavingItems({ server }: { server: OwnServer }): readonly MenuItem[] {
  const { memberSettings: words } = useWords();
  const isOwner = useCopy((copy) => copy.user.id === server.owner_id);
  if (isOwner) return [];
  const open = () => openOver((close) => <LeaveServer server={server} onClose={close} />);
  return [{ id: "leave", label: words.leave, icon: LogOut, isDanger: true, onChoose: open }];
}
