// The dialog for the user's status text and presence.
import { useState } from "react";
import { limits } from "../../../protocol/limits.ts";
import { PresenceMark } from "../../../web/ui/controls/presence-mark.tsx";
import { RadioGroup } from "../../../web/ui/controls/radio-group.tsx";
import { Choice, TextField } from "../../../web/ui/controls/text-field.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { agoOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { updateMe } from "../../accounts/calls.ts";
import { setPresence } from "../calls.ts";
import { nextMorning } from "./next-morning.ts";
import { type ChosenStatus, chosenStatus, endAt, runningEnd } from "./own-presence.ts";
import styles from "./status-dialog.module.css";

const choices: readonly ChosenStatus[] = ["online", "idle", "dnd", "invisible"];
const durations = ["always", "hour", "four", "tomorrow"] as const;
/** "running": until the end that was chosen before. */
type Duration = (typeof durations)[number] | "running";

export function StatusDialog({ onClose }: { onClose(): void }) {
  const { presence: words } = useWords();
  const { chat } = useHouse();
  const user = useCopy((copy) => copy.user);
  const [text, setText] = useState(user.status_text);
  const [status, setStatus] = useState(() => chosenStatus(chat));
  const [end] = useState(() => (status === "dnd" ? runningEnd() : null));
  const [duration, setDuration] = useState<Duration>(end === null ? "always" : "running");
  const act = useAct();

  async function save() {
    if (text !== user.status_text) await updateMe({ body: { status_text: text } });
    await setPresence({ body: { status } });
    endAt(status !== "dnd" ? null : duration === "running" ? end : endOf(duration));
  }
  const send = () => void act.run(save, onClose);

  return (
    <FormDialog title={words.setStatus} button={words.save} act={act} onSend={send} onClose={onClose} isSlim>
      <TextField
        label={words.statusText}
        hint={words.statusHint}
        value={text}
        maxLength={limits.status_text_max}
        onChange={setText}
        autoFocus
      />
      <div className={styles.seen}>
        <p aria-hidden="true">{words.seenAs}</p>
        <RadioGroup<ChosenStatus>
          label={words.seenAs}
          as="list"
          value={status}
          options={choices.map((value) => ({
            value,
            ...words.choices[value],
            mark: <PresenceMark status={value === "invisible" ? "offline" : value} />,
          }))}
          onChange={(value) => setStatus(value)}
        />
      </div>
      {status === "dnd" && (
        <Choice<Duration>
          label={words.until}
          value={duration}
          options={[
            ...(end === null
              ? []
              : [{ value: "running" as const, label: words.untilThen(agoOf(new Date(end))) }]),
            ...durations.map((value) => ({ value, label: words.durations[value] })),
          ]}
          onChange={(value) => setDuration(value)}
        />
      )}
    </FormDialog>
  );
}

function endOf(duration: (typeof durations)[number]): number | null {
  const now = new Date();
  switch (duration) {
    case "always":
      return null;
    case "hour":
      return now.getTime() + 3_600_000;
    case "four":
      return now.getTime() + 4 * 3_600_000;
    case "tomorrow":
      return nextMorning(now).getTime();
  }
}
