// "Settings" in the menu of a server.
import { Settings } from "lucide-react";
import { useLocation } from "wouter";
import type { OwnServer } from "../../../client/servers.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../web/ui/words/words.ts";

export function useSettingsItems({ server }: { server: OwnServer }): readonly MenuItem[] {
  const { serverSettings: words } = useWords();
  const [, navigate] = useLocation();
  const open = () => navigate(paths.allServerSettings(server.id));
  return [{ id: "settings", label: words.title, icon: Settings, onChoose: open }];
}
