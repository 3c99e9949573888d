// The dialog for the user's status text and presence.
import { useState } from "react";
import { limits } from "../../../protocol/limits.ts";
import { PresenceMark } from "../../../web/ui/controls/presence-mark.tsx";
import { RadioGroup } from "../../../web/ui/controls/radio-group.tsx";
import { Choice, TextField } from "../../../web/ui/controls/text-field.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { agoOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { updateMe } from "../../accounts/calls.ts";
import { setPresence } from "../calls.ts";
import { nextMorning } from "./next-morning.ts";
import { type ChosenStatus, endAt, runningEnd } from "./own-presence.ts";
import styles from "./status-dialog.module.css";

const choices: readonly ChosenStatus[] = ["online", "idle", "dnd", "invisible"];
const durations = ["always", "hour", "four", "tomorrow"] as const;
/** "running": until the end that was chosen before. */
type Duration = (typeof durations)[number] | "running";

export function StatusDialog({ onClose }: { onClose(): void }) {
  const { presence: words } = useWords();
  const user = useCopy((copy) => copy.user);
  // Only what is changed here is sent: the rest may be chosen on another device meanwhile.
  const [typed, setTyped] = useState<string>();
  const [chosen, setChosen] = useState<ChosenStatus>();
  const [chosenDuration, setDuration] = useState<Duration>();
  const text = typed ?? user.status_text;
  const status = chosen ?? user.presence_chosen ?? "online";
  const [end] = useState(() => (status === "dnd" ? runningEnd() : null));
  const duration = chosenDuration ?? (end === null ? "always" : "running");
  const act = useAct();

  async function save() {
    if (text !== user.status_text) await updateMe({ body: { status_text: text } });
    if (chosen === undefined && chosenDuration === undefined) return;
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
        onChange={setTyped}
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
          onChange={(value) => setChosen(value)}
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
