// The dialog that deletes a channel.
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { deleteChannel } from "../calls.ts";
import type { OwnChannel } from "../state.ts";

export function DeleteChannel({ channel, onClose }: { channel: OwnChannel; onClose(): void }) {
  const { channels: words } = useWords();
  return (
    <Confirm
      title={words.deleteTitle(channel.name)}
      button={words.delete}
      onConfirm={() => deleteChannel({ params: { id: channel.id } })}
      onClose={onClose}
    >
      <p>{channel.type === "text" ? words.deleteLead : words.deleteVoiceLead}</p>
    </Confirm>
  );
}
