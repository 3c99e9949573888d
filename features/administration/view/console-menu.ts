// The way to the console, in the menu of oneself: for the owner and the admins of the instance.
import { ShieldCheck } from "lucide-react";
import { useLocation } from "wouter";
import { useCopy } from "../../../web/ui/house.tsx";
import type { MenuItem } from "../../../web/ui/menu.tsx";
import { paths } from "../../../web/ui/paths.ts";
import { useWords } from "../../../web/ui/words.ts";

export function useConsoleItem(): readonly MenuItem[] {
  // The console's own words are loaded with it.
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
