// The page of events in a server's settings.
import type { OwnServer } from "../../../client/servers.ts";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { EventLists, PlanEvent, useEvents } from "./events.tsx";

export function SettingsEvents({ server }: { server: OwnServer }) {
  const { schedule: words } = useWords();
  const events = useEvents(server.id);
  return (
    <SettingsPage title={words.events} lead={words.lead}>
      <Entry>
        <PlanEvent server={server} events={events} />
      </Entry>
      <Entry label={words.coming}>
        <EventLists server={server} events={events} />
      </Entry>
    </SettingsPage>
  );
}
