// Menu items about a category: a word that channels share, so that all of them are changed.
import { ArrowDown, ArrowUp, ChevronsDownUp, Pencil, Plus } from "lucide-react";
import { createElement } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { mayManage, openCreate } from "./creating.ts";
import { moveCategory } from "./moving.ts";
import { steppedCategory } from "./steps.ts";

const RenameCategory = laterWithKeys(async () => (await import("./rename-category.tsx")).RenameCategory);

interface Props {
  server: OwnServer;
  name: string;
  onFoldAll(): void;
}

export function useCategoryItems({ server, name, onFoldAll }: Props): readonly MenuItem[] {
  const { channels: words } = useWords();
  const { chat } = useHouse();
  const foldAll: MenuItem = {
    id: "fold-all",
    label: words.foldAll,
    icon: ChevronsDownUp,
    isApart: true,
    onChoose: onFoldAll,
  };
  if (!mayManage(server)) return [foldAll];
  const step = (id: "up" | "down", by: 1 | -1, icon: typeof ArrowUp): readonly MenuItem[] => {
    if (steppedCategory(server.channels, name, by).length === 0) return [];
    const onChoose = () => void moveCategory(chat, server.id, { name, step: by }, words.notMoved);
    return [{ id, label: words[id], icon, onChoose }];
  };
  return [
    { id: "create-channel", label: words.create, icon: Plus, onChoose: () => openCreate(server, name) },
    {
      id: "rename",
      label: words.rename,
      icon: Pencil,
      onChoose: () => openOver((onClose) => createElement(RenameCategory, { server, name, onClose })),
    },
    ...step("up", -1, ArrowUp),
    ...step("down", 1, ArrowDown),
    foldAll,
  ];
}
