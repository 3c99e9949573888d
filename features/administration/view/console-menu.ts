// The entry of the console in the user's menu, for the owner and the admins of the instance.
import { ShieldCheck } from "lucide-react";
import { useLocation } from "wouter";
import { paths } from "../../../web/ui/navigation/paths.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";

export function useConsoleItem(): readonly MenuItem[] {
  // The console's own texts are loaded only with it.
  const { shell: words } = useWords();
  const isAdmin = useCopy(({ user }) => user.instance_role !== "member");
  const [, navigate] = useLocation();
  if (!isAdmin) return [];
  return [
    {
      id: "console",
      label: words.console,
      icon: ShieldCheck,
      onChoose: () => navigate(paths.admin("health")),
    },
  ];
}
