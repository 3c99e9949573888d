// The item in the menus of servers and channels that invites people: every member may.
import { UserPlus } from "lucide-react";
import type { OwnServer } from "../../../client/servers.ts";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";

const InviteDialog = laterWithKeys(async () => (await import("./invite-dialog.tsx")).InviteDialog);

export function useInviteItems({ server }: { server: OwnServer | undefined }): readonly MenuItem[] {
  const { inviteSettings: words } = useWords();
  if (!server) return [];
  return [{ id: "invite", label: words.invite, icon: UserPlus, onChoose: () => openInviteDialog(server) }];
}

/** The same in the menu of a channel: people are invited to its server. */
export function useChannelInviteItem({ channel }: { channel: OwnChannel }): readonly MenuItem[] {
  return useInviteItems({ server: useServer(channel.server_id) });
}

/** Opens the dialog; empty servers offer it, too. */
export function openInviteDialog(server: Pick<OwnServer, "id" | "name">): void {
  openOver((close) => <InviteDialog server={server} onClose={close} />);
}
