// The item in the menu of a server that invites people: every member may.
import { UserPlus } from "lucide-react";
import type { OwnServer } from "../../../client/servers.ts";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../web/ui/words/words.ts";

const InviteDialog = laterWithKeys(async () => (await import("./invite-dialog.tsx")).InviteDialog);

export function useInviteItems({ server }: { server: OwnServer }): readonly MenuItem[] {
  const { inviteSettings: words } = useWords();
  return [{ id: "invite", label: words.invite, icon: UserPlus, onChoose: () => openInviteDialog(server) }];
}

/** Opens the dialog; empty servers offer it, too. */
export function openInviteDialog(server: Pick<OwnServer, "id" | "name">): void {
  openOver((close) => <InviteDialog server={server} onClose={close} />);
}
