// The upcoming and recent events of a server, with the reader's answers. Shown in the settings and in a dialog.
import { Plus } from "lucide-react";
import { useCallback, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { ItemList, Nothing, Stack } from "../../../web/ui/controls/item-list.tsx";
import { type Fetched, Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { withItem } from "../../../web/ui/session/with-item.ts";
import { currentLocale, useWords } from "../../../web/ui/words/words.ts";
import { listEvents } from "../calls.ts";
import type { ScheduledEvent } from "../contract.ts";
import { isOver } from "./attending.ts";
import { EventForm } from "./event-form.tsx";
import { EventItem } from "./event-item.tsx";
import styles from "./events.module.css";
import { zoneName } from "./local-time.ts";

export function useEvents(serverId: string): Fetched<ScheduledEvent[]> {
  const load = useCallback(
    (signal: AbortSignal) => listEvents({ params: { id: serverId } }, signal),
    [serverId],
  );
  return useFetched(load);
}

interface Props {
  server: OwnServer;
  events: Fetched<ScheduledEvent[]>;
}

export function PlanEvent({ server, events }: Props) {
  const { schedule: words } = useWords();
  const [isPlanning, setPlanning] = useState(false);
  return (
    <>
      <Button icon={Plus} onClick={() => setPlanning(true)}>
        {words.plan}
      </Button>
      {isPlanning && (
        <EventForm
          server={server}
          onSaved={(event) => events.change((list) => byStart(withItem(list, event)))}
          onClose={() => setPlanning(false)}
        />
      )}
    </>
  );
}

export function EventLists({ server, events }: Props) {
  const { schedule: words } = useWords();
  const now = new Date();
  return (
    <Stack>
      <Loaded of={events}>
        {(list) => {
          const coming = list.filter((event) => !isOver(event, now.getTime()));
          const over = list.filter((event) => isOver(event, now.getTime()));
          return (
            <>
              {coming.length === 0 ? (
                <Nothing>{words.none}</Nothing>
              ) : (
                <EventList label={words.coming} server={server} list={coming} events={events} />
              )}
              {over.length > 0 && (
                <>
                  <h3 className={styles.over}>{words.over}</h3>
                  <EventList label={words.over} server={server} list={over} events={events} />
                </>
              )}
            </>
          );
        }}
      </Loaded>
      <p className={styles.zone}>{words.zone(zoneName(currentLocale(), now))}</p>
    </Stack>
  );
}

function EventList({
  label,
  server,
  list,
  events,
}: Props & { label: string; list: readonly ScheduledEvent[] }) {
  return (
    <ItemList label={label}>
      {list.map((event) => (
        <EventItem
          key={event.id}
          server={server}
          event={event}
          onChange={(after) =>
            events.change((all) => byStart(all.map((each) => (each.id === after.id ? after : each))))
          }
          onCalledOff={() => events.change((all) => all.filter(({ id }) => id !== event.id))}
        />
      ))}
    </ItemList>
  );
}

function byStart(events: ScheduledEvent[]): ScheduledEvent[] {
  return events.toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
}
