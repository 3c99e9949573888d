// The form that creates or edits an event; times are in the reader's own time zone, which is named.
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { Choice, TextArea, TextField } from "../../../web/ui/controls/text-field.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { currentLocale, useWords } from "../../../web/ui/words/words.ts";
import { inOrder } from "../../channels/view/order.ts";
import { createEvent, updateEvent } from "../calls.ts";
import type { ScheduledEvent } from "../contract.ts";
import styles from "./events.module.css";
import { firstGuess, localText, momentOf, zoneName } from "./local-time.ts";
import { type Typed, touched } from "./touched.ts";

interface Props {
  server: OwnServer;
  /** The event being edited. */
  event?: ScheduledEvent;
  onSaved(event: ScheduledEvent): void;
  onClose(): void;
}

export function EventForm({ server, event, onSaved, onClose }: Props) {
  const { schedule: words } = useWords();
  const act = useAct();
  const [before] = useState(() => typedOf(event));
  const [typed, setTyped] = useState(before);
  const set = (change: Partial<Typed>) => setTyped((now) => ({ ...now, ...change }));
  const { starts, isBackwards, body } = read(typed);
  const hasNewTimes = typed.starts !== before.starts || typed.ends !== before.ends;
  const missing =
    typed.title.trim() === "" ? words.titleFirst : starts === undefined ? words.startFirst : undefined;
  async function save() {
    if (!body) return;
    onSaved(
      event
        ? await updateEvent({ params: { id: event.id }, body: touched(body, typed, before) })
        : await createEvent({ params: { id: server.id }, body }),
    );
  }
  return (
    <FormDialog
      title={event ? words.editTitle : words.plan}
      button={event ? words.save : words.planIt}
      act={act}
      disabledBecause={missing ?? (isBackwards && (!event || hasNewTimes) ? words.backwards : undefined)}
      onSend={() => void act.run(save, onClose)}
      onClose={onClose}
    >
      <TextField
        label={words.title}
        value={typed.title}
        maxLength={limits.event_title_max}
        problem={fieldProblem(act.error, "title")}
        autoFocus
        onChange={(title) => set({ title })}
      />
      <Times typed={typed} isBackwards={isBackwards} error={act.error} set={set} />
      <Where server={server} typed={typed} set={set} />
      <TextArea
        label={words.description}
        value={typed.description}
        maxLength={limits.event_description_max}
        problem={fieldProblem(act.error, "description")}
        onChange={(description) => set({ description })}
      />
    </FormDialog>
  );
}

interface PartProps {
  typed: Typed;
  set(change: Partial<Typed>): void;
}

function Times({
  typed,
  set,
  isBackwards,
  error,
}: PartProps & { isBackwards: boolean; error: Parameters<typeof fieldProblem>[0] }) {
  const { schedule: words } = useWords();
  const at = momentOf(typed.starts);
  return (
    <div className={styles.times}>
      <TextField
        label={words.starts}
        type="datetime-local"
        value={typed.starts}
        problem={fieldProblem(error, "starts_at")}
        onChange={(starts) => set({ starts })}
      />
      <TextField
        label={words.ends}
        type="datetime-local"
        value={typed.ends}
        problem={isBackwards ? words.backwards : fieldProblem(error, "ends_at")}
        onChange={(ends) => set({ ends })}
      />
      <p className={styles.zone}>
        {words.zone(zoneName(currentLocale(), at === undefined ? new Date() : new Date(at)))}
      </p>
    </div>
  );
}

function Where({ server, typed, set }: PartProps & { server: OwnServer }) {
  const { schedule: words } = useWords();
  const channels = inOrder(server.channels);
  return (
    <Choice
      label={words.channel}
      value={typed.channelId}
      options={[
        { value: "", label: words.noChannel },
        ...channels.map(({ id, name, type }) => ({
          value: id,
          label: type === "voice" ? words.voiceRoom(name) : `# ${name}`,
        })),
      ]}
      onChange={(channelId) => set({ channelId })}
    />
  );
}

function typedOf(event: ScheduledEvent | undefined): Typed {
  return {
    title: event?.title ?? "",
    description: event?.description ?? "",
    starts: localText(event ? new Date(event.starts_at) : firstGuess(new Date())),
    ends: event?.ends_at ? localText(new Date(event.ends_at)) : "",
    channelId: event?.channel_id ?? "",
  };
}

/** Returns the input as a request body; undefined without a start. */
function read({ title, description, starts, ends, channelId }: Typed) {
  const starts_at = momentOf(starts);
  const ends_at = momentOf(ends) ?? null;
  return {
    starts: starts_at,
    isBackwards: starts_at !== undefined && ends_at !== null && ends_at <= starts_at,
    body:
      starts_at === undefined
        ? undefined
        : { title, description, starts_at, ends_at, channel_id: channelId || null },
  };
}
