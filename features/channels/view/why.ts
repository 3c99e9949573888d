// Asking what a member can do in the open channel: the right to, the dialog, and the item in the member's menu.
import { ListChecks } from "lucide-react";
import { createElement } from "react";
import { useLocation } from "wouter";
import { permission } from "../../../protocol/permissions.ts";
import { holdKeys } from "../../../web/ui/browser/held-keys.ts";
import { lazily } from "../../../web/ui/browser/lazily.ts";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy, useServer } from "../../../web/ui/session/house.tsx";
import { useWords, withWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { useMember } from "../../members/view/members.ts";

export const WhyDialog = lazily(
  async () => (await withWords("pages", withWords("rest", import("./settings/why-dialog.tsx")))).WhyDialog,
  undefined,
  holdKeys,
);

/** True if the reader is this member, or holds MANAGE_SERVER. */
export function useMayAskWhy(permissions: number, userId: string): boolean {
  const ownId = useCopy(({ user }) => user.id);
  return userId === ownId || (permissions & permission.MANAGE_SERVER) !== 0;
}

type Named = Pick<User, "id" | "display_name">;

/** Returns what opens the dialog about a member in the channel of the address; undefined where nobody may ask. */
function useAskWhy({ id: userId, display_name: name }: Named, serverId: string | null) {
  const [path] = useLocation();
  const server = useServer(serverId);
  const channel = server?.channels.get(/\/channels\/([^/]+)/.exec(path)?.[1] ?? "");
  const member = useMember(serverId, userId);
  const mayAsk = useMayAskWhy(server?.permissions ?? 0, userId);
  if (!channel || !member || !mayAsk) return undefined;
  return () => openOver((onClose) => createElement(WhyDialog, { channel, userId, name, onClose }));
}

/** The item in the menu of a member. */
export function useWhyItem({
  user,
  serverId,
}: {
  user: Named;
  serverId: string | null;
}): readonly MenuItem[] {
  const { channels: words } = useWords();
  const ask = useAskWhy(user, serverId);
  if (!ask) return [];
  return [{ id: "why", label: words.whatCan(user.display_name), icon: ListChecks, onChoose: ask }];
}
