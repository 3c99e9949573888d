// "Settings" in the user's own menu.
import { Settings } from "lucide-react";
import { useLocation } from "wouter";
import { paths } from "../../../web/ui/navigation/paths.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../web/ui/words/words.ts";

export function useSettingsItem(): readonly MenuItem[] {
  const { accounts: words } = useWords();
  const [, navigate] = useLocation();
  const open = () => navigate(paths.settings("profile"));
  return [{ id: "settings", label: words.settings, icon: Settings, onChoose: open }];
}
