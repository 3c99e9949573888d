// Takes the overrides of another channel over into the draft, as far as the reader may change them.
import { Copy } from "lucide-react";
import { useState } from "react";
import type { OwnServer } from "../../../../client/servers.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Choice } from "../../../../web/ui/controls/text-field.tsx";
import { useAct } from "../../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../../web/ui/overlays/form-dialog.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../state.ts";
import { inOrder } from "../order.ts";
import { type Settings, settingsOf, type Target } from "./targets.ts";

interface Props {
  server: OwnServer;
  channel: OwnChannel;
  targets: readonly Target[];
  onCopy(targets: readonly Target[], settings: Settings): void;
}

export function CopyOverrides(props: Props) {
  const { channelSettings: words } = useWords();
  const [isAsking, setAsking] = useState(false);
  const others = inOrder(props.server.channels).filter(({ id }) => id !== props.channel.id);
  return (
    <>
      <Button
        isSmall
        icon={Copy}
        disabledBecause={others.length === 0 ? words.noOther : undefined}
        onClick={() => setAsking(true)}
      >
        {words.copy}
      </Button>
      {isAsking && <CopyDialog {...props} others={others} onClose={() => setAsking(false)} />}
    </>
  );
}

function CopyDialog({
  targets,
  others,
  onCopy,
  onClose,
}: Props & { others: readonly OwnChannel[]; onClose(): void }) {
  const { channelSettings: words } = useWords();
  const act = useAct();
  const [fromId, setFromId] = useState(others[0]?.id ?? "");
  function copy() {
    const overrides = others.find(({ id }) => id === fromId)?.overrides ?? [];
    const added = overrides.map(({ id, kind }) => ({ id, kind }));
    onCopy(added, settingsOf([...targets, ...added], overrides));
    onClose();
  }
  return (
    <FormDialog title={words.copy} button={words.copyNow} act={act} onSend={copy} onClose={onClose}>
      <Choice
        label={words.copyFrom}
        value={fromId}
        options={others.map(({ id, name, type }) => ({
          value: id,
          label: type === "text" ? `# ${name}` : name,
        }))}
        hint={words.copyLead}
        onChange={setFromId}
      />
    </FormDialog>
  );
}
