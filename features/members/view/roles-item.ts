// The item in the menu of a member that gives and takes their roles, with one tick each.
import { Shield } from "lucide-react";
import { tellRefused } from "../../../web/ui/loading/tell-refused.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { useHeldRoles } from "./held-roles.ts";
import { useMember } from "./members.ts";

interface Props {
  user: Pick<User, "id">;
  serverId: string | null;
}

export function useRolesItem({ user, serverId }: Props): readonly MenuItem[] {
  const { members: words } = useWords();
  const server = useServer(serverId);
  const { heldIds, mayGive, toggle } = useHeldRoles(server, useMember(serverId, user.id), tellRefused);
  if (!server?.roles.some(mayGive)) return [];
  const items = server.roles
    .filter(({ is_default }) => !is_default)
    .map((role) => ({
      id: role.id,
      label: role.name,
      color: role.color,
      isTicked: heldIds.includes(role.id),
      isDisabled: !mayGive(role),
      onChoose: () => toggle(role.id),
    }));
  return [{ id: "roles", label: words.roles, icon: Shield, items }];
}
