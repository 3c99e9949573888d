// Menu items that move a server among one's own, for fingers and whoever does not know the keys.
import { ArrowLeft, ArrowRight } from "lucide-react";
import type { OwnServer } from "../../../client/servers.ts";
import { keysOf } from "../../../web/ui/keys/keys.ts";
import { readable } from "../../../web/ui/keys/readable-keys.ts";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { moves, shortcutOf, stepOf } from "./move-keys.ts";
import { moveByStep } from "./moving.ts";

interface Props {
  server: OwnServer;
  isAtTab?: true;
}

export function useMoveItems({ server: { id }, isAtTab }: Props): readonly MenuItem[] {
  const { serverOrder: words } = useWords();
  const { chat } = useHouse();
  const ids = useCopy(({ servers }) => servers.map((server) => server.id).join()).split(",");
  if (!isAtTab) return [];
  const item = (way: keyof typeof moves, icon: typeof ArrowLeft): readonly MenuItem[] => {
    const step = stepOf(way, document.body);
    if (ids[ids.indexOf(id) + step] === undefined) return [];
    const onChoose = () => void moveByStep(chat, id, step, words);
    const keys = readable(keysOf(moves[way])).join(" ");
    return [{ id: way, label: words[way], icon, keys, spokenKeys: shortcutOf(moves[way]), onChoose }];
  };
  return [...item("left", ArrowLeft), ...item("right", ArrowRight)];
}
