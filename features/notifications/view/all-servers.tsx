// Settings: one notification level for all servers; what is muted, and channels that differ, stay as they are.
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { RadioGroup } from "../../../web/ui/controls/radio-group.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Level } from "../contract.ts";
import { levels, ofServer } from "./levels.ts";
import { setWanted } from "./place.ts";

export function AllServers({ servers }: { servers: readonly OwnServer[] }) {
  const { notifications: words } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall onClick={() => setOpen(true)}>
        {words.forAll}
      </Button>
      {isOpen && <AllServersDialog servers={servers} onClose={() => setOpen(false)} />}
    </>
  );
}

function AllServersDialog({ servers, onClose }: { servers: readonly OwnServer[]; onClose(): void }) {
  const { notifications: words } = useWords();
  const { chat } = useHouse();
  const act = useAct();
  const shared = useCopy(({ notificationSettings }) => {
    const all = new Set(servers.map(({ id }) => ofServer(notificationSettings, id).level));
    return all.size === 1 ? [...all][0] : undefined;
  });
  const [level, setLevel] = useState<Level>(shared ?? "mentions");
  // Servers that have the level are passed over, so a second try after a failure does the rest.
  const setAll = async (signal: AbortSignal) => {
    for (const server of servers) {
      if (signal.aborted) return;
      const settings = chat.state.copy?.notificationSettings;
      const wanted = settings && ofServer(settings, server.id);
      if (wanted && wanted.level !== level) await setWanted({ server }, { ...wanted, level });
    }
  };
  return (
    <FormDialog
      title={words.allTitle}
      button={words.setAll(servers.length)}
      act={act}
      onSend={() => void act.run(setAll, onClose)}
      onClose={onClose}
    >
      <RadioGroup<Level>
        as="list"
        label={words.level}
        value={level}
        options={levels.map((value) => ({
          value,
          label: words.levels[value],
          hint: words.levelHints[value],
        }))}
        onChange={setLevel}
      />
    </FormDialog>
  );
}
