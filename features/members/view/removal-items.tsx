// Kicking and banning in the menu of a person: for those who may, of members who rank below them.
import { Ban, LogOut } from "lucide-react";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy, useServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { standingIn } from "../../roles/view/standing.ts";
import { useMember } from "./members.ts";

const Removal = laterWithKeys(async () => (await import("./removal.tsx")).Removal);

interface Props {
  user: Pick<User, "id" | "display_name">;
  serverId: string | null;
}

export function useRemovalItems({ user, serverId }: Props): readonly MenuItem[] {
  const { members: words } = useWords();
  const ownId = useCopy((copy) => copy.user.id);
  const server = useServer(serverId);
  const member = useMember(serverId, user.id);
  if (!server || !member) return [];
  const standing = standingIn(server, ownId);
  if (!standing.outranks(user.id, member.role_ids)) return [];
  const ask = (isBan: boolean) =>
    openOver((close) => <Removal server={server} user={user} isBan={isBan} onClose={close} />);
  const kick = { id: "kick", label: words.kick, icon: LogOut, isDanger: true, onChoose: () => ask(false) };
  const ban = { id: "ban", label: words.ban, icon: Ban, isDanger: true, onChoose: () => ask(true) };
  return [...(standing.may("KICK_MEMBERS") ? [kick] : []), ...(standing.may("BAN_MEMBERS") ? [ban] : [])];
}
