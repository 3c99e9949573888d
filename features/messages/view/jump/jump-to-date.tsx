// The dialog that leads to the first message of a day.
import { useState } from "react";
import { useLocation } from "wouter";
import { lowestIdAt } from "../../../../protocol/ids.ts";
import { TextField } from "../../../../web/ui/controls/text-field.tsx";
import { paths } from "../../../../web/ui/navigation/paths.ts";
import { useAct } from "../../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../../web/ui/overlays/form-dialog.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { listMessages } from "../../calls.ts";
import { dayOf, startOf } from "./days.ts";

export function JumpToDate({ channel, onClose }: { channel: OwnChannel; onClose(): void }) {
  const { messages: words } = useWords();
  const act = useAct();
  const [path, navigate] = useLocation();
  const today = dayOf(new Date());
  const [day, setDay] = useState(today);
  const [emptyDay, setEmptyDay] = useState<string>();
  const start = startOf(day);
  async function jump(signal: AbortSignal) {
    if (!start) return;
    const query = { after: lowestIdAt(start.getTime()), limit: 1 };
    const asked = { params: { channelID: channel.id }, query };
    const { items } = await listMessages(asked, signal);
    const [message] = items;
    if (signal.aborted) return;
    if (!message) return setEmptyDay(day);
    onClose();
    // From the list of channels back leads there, as from any room that was opened in it.
    const isInRoom = path.startsWith(paths.channel(channel));
    navigate(paths.message(message), isInRoom ? {} : { state: { isFromHere: true } });
  }
  return (
    <FormDialog
      title={words.jumpToDate}
      button={words.jump}
      act={act}
      disabledBecause={start ? undefined : words.dateFirst}
      isSlim
      isLight
      onSend={() => void act.run(jump)}
      onClose={onClose}
    >
      <TextField
        label={words.date}
        type="date"
        value={day}
        max={today}
        problem={emptyDay === day ? words.nothingSince : undefined}
        hint={words.jumpHint}
        autoFocus
        onChange={setDay}
      />
    </FormDialog>
  );
}
