// The panel with a server's events, opened from its menu over whatever the member is reading.
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import type { OwnServer } from "../../../client/servers.ts";
import { Stack } from "../../../web/ui/controls/item-list.tsx";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { EventLists, PlanEvent, useEvents } from "./events.tsx";

export function EventsPanel({ server, onClose }: { server: OwnServer; onClose(): void }) {
  const { schedule: words } = useWords();
  const events = useEvents(server.id);
  useLeft(onClose);
  return (
    <Dialog title={words.eventsOf(server.name)} onClose={onClose}>
      <Stack>
        <EventLists server={server} events={events} />
        <div>
          <PlanEvent server={server} events={events} />
        </div>
      </Stack>
    </Dialog>
  );
}

/** Closes the panel when a link to an event's channel is followed. */
function useLeft(close: () => void): void {
  const [path] = useLocation();
  const opened = useRef(path);
  useEffect(() => {
    if (path !== opened.current) close();
  }, [path, close]);
}
