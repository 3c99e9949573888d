// One event: its time and place, who attends, and the reader's answer.
import { CalendarDays, Check, HelpCircle, Pencil, Trash2, X } from "lucide-react";
import { useRef, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { permission } from "../../../protocol/permissions.ts";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Item } from "../../../web/ui/controls/item-list.tsx";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useInOrder } from "../../../web/ui/session/in-order.ts";
import { fullTime, spanOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { deleteEvent, setRsvp } from "../calls.ts";
import type { Attendance, ScheduledEvent } from "../contract.ts";
import { attended, isOver } from "./attending.ts";
import { EventForm } from "./event-form.tsx";
import styles from "./events.module.css";

interface Props {
  server: OwnServer;
  event: ScheduledEvent;
  onChange(after: ScheduledEvent): void;
  onCalledOff(): void;
}

export function EventItem({ server, event, onChange, onCalledOff }: Props) {
  const { schedule: words } = useWords();
  const ownId = useCopy((copy) => copy.user.id);
  const [isEditing, setEditing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const hasSay = event.creator_id === ownId || (server.permissions & permission.MANAGE_SERVER) !== 0;
  return (
    <Item
      face={<Icon of={CalendarDays} />}
      title={event.title}
      about={<When server={server} event={event} />}
      actions={
        hasSay && (
          <>
            <IconButton label={words.editOf(event.title)} icon={Pencil} onClick={() => setEditing(true)} />
            <IconButton label={words.callOffOf(event.title)} icon={Trash2} onClick={() => setAsking(true)} />
          </>
        )
      }
    >
      {event.description !== "" && <p className={styles.description}>{event.description}</p>}
      <Coming event={event} onChange={onChange} />
      {isEditing && (
        <EventForm server={server} event={event} onSaved={onChange} onClose={() => setEditing(false)} />
      )}
      {isAsking && (
        <Confirm
          title={words.callOffTitle(event.title)}
          button={words.callOff}
          onConfirm={async () => {
            await deleteEvent({ params: { id: event.id } });
            onCalledOff();
          }}
          onClose={() => setAsking(false)}
        >
          <p>{words.callOffLead}</p>
        </Confirm>
      )}
    </Item>
  );
}

function When({ server, event }: { server: OwnServer; event: ScheduledEvent }) {
  const { schedule: words } = useWords();
  const start = new Date(event.starts_at);
  const channel = server.channels.get(event.channel_id ?? "");
  return (
    <>
      <time dateTime={event.starts_at}>
        {event.ends_at === null ? fullTime(start) : spanOf(start, new Date(event.ends_at))}
      </time>
      {channel && (
        <>
          {" · "}
          <Link href={paths.channel(channel)}>
            {channel.type === "voice" ? words.inRoom(channel.name) : words.in(channel.name)}
          </Link>
        </>
      )}
    </>
  );
}

const answers = [
  ["going", Check, "going_count"],
  ["maybe", HelpCircle, "maybe_count"],
  ["no", X, "no_count"],
] as const;

/** Shows the choice at once, and reverts it if the server rejects it and no other choice has followed. */
function Coming({ event, onChange }: Pick<Props, "event" | "onChange">) {
  const { schedule: words } = useWords();
  const act = useAct();
  const inOrder = useInOrder();
  const isPast = isOver(event, Date.now());
  const shown = useRef(event);
  shown.current = event;
  /** The answer that the server has while others are on their way. */
  const kept = useRef(event.my_rsvp);
  const choices = useRef(0);
  function choose(status: Attendance) {
    if (event.my_rsvp === status) return;
    if (!act.isBusy) kept.current = event.my_rsvp;
    onChange(attended(event, status));
    const choice = ++choices.current;
    inOrder(async () => {
      const isDone = await act.run(() => setRsvp({ params: { id: event.id }, body: { status } }));
      if (isDone) kept.current = status;
      else if (choice === choices.current) onChange(attended(shown.current, kept.current));
    });
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form, these are three buttons. */}
      <div role="group" aria-label={words.comingTo(event.title)} className={styles.coming}>
        {answers.map(([status, icon, count]) => (
          <button
            key={status}
            type="button"
            className={styles.answer}
            aria-pressed={event.my_rsvp === status}
            aria-disabled={isPast || undefined}
            title={isPast ? words.isOver : undefined}
            onClick={() => isPast || choose(status)}
          >
            <Icon of={icon} size={14} />
            {words.attendance[status](event[count])}
          </button>
        ))}
      </div>
      <Refused by={act.error} />
    </>
  );
}
