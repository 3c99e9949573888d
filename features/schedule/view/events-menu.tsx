// "Events" in the menu of a server: every member can see and answer them.
import { CalendarDays } from "lucide-react";
import type { OwnServer } from "../../../client/servers.ts";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useWords } from "../../../web/ui/words/words.ts";

const EventsPanel = laterWithKeys(async () => (await import("./events-panel.tsx")).EventsPanel);

export function useEventItems({ server }: { server: OwnServer }): readonly MenuItem[] {
  const { schedule: words } = useWords();
  const open = () => openOver((close) => <EventsPanel server={server} onClose={close} />);
  return [{ id: "events", label: words.events, icon: CalendarDays, onChoose: open }];
}
