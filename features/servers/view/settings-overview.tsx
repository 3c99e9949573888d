// The overview in a server's settings: its name and picture, and its deletion.
import { Trash2 } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry, Field } from "../../../web/ui/controls/entry.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { type Draft, useDraft } from "../../../web/ui/settings/draft.ts";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { deleteServer, updateServer } from "../calls.ts";
import { useGoOnWithout } from "./gone.ts";
import styles from "./settings-overview.module.css";
import { serverPicture } from "./settings-slots.ts";

interface Props {
  server: OwnServer;
  /** The parts of later features: ownership, and leaving. */
  children: ReactNode;
}

export function SettingsOverview({ server, children }: Props) {
  const { serverSettings: words } = useWords();
  const isOwner = useCopy((copy) => copy.user.id === server.owner_id);
  const saved = useMemo(() => ({ name: server.name }), [server.name]);
  const draft = useDraft(saved, (body) => updateServer({ params: { id: server.id }, body }));
  return (
    <SettingsPage title={words.overview} lead={words.overviewLead} draft={draft}>
      <Identity server={server} draft={draft} isOwner={isOwner} />
      {children}
      {isOwner && (
        <Entry label={words.end}>
          <DeleteServer server={server} />
        </Entry>
      )}
    </SettingsPage>
  );
}

interface IdentityProps {
  server: OwnServer;
  draft: Draft<{ name: string }>;
  isOwner: boolean;
}

function Identity({ server, draft, isOwner }: IdentityProps) {
  const { serverSettings: words } = useWords();
  const { values } = draft;
  return (
    <>
      <Field
        label={words.name}
        value={values.name}
        maxLength={limits.server_name_max}
        readOnly={!isOwner}
        hint={isOwner ? undefined : words.ownerOnly}
        problem={draft.problem("name")}
        isChanged={draft.changed.has("name")}
        onChange={(event) => draft.set("name", event.target.value)}
      />
      {isOwner && filled(serverPicture, { server })}
      <Entry label={words.looks}>
        <p className={styles.sample}>
          <Face id={server.id} name={values.name} picture={server.icon} size={40} isServer />
          <span>{values.name}</span>
        </p>
      </Entry>
    </>
  );
}

function DeleteServer({ server }: { server: OwnServer }) {
  const { serverSettings: words } = useWords();
  const goOnWithout = useGoOnWithout();
  const [isAsking, setAsking] = useState(false);
  async function remove() {
    await deleteServer({ params: { id: server.id } });
    await goOnWithout(server.id);
  }
  return (
    <>
      <p className={styles.lead}>{words.deleteLead}</p>
      <Button kind="danger" icon={Trash2} onClick={() => setAsking(true)}>
        {words.delete}
      </Button>
      {isAsking && (
        <Confirm
          title={words.deleteTitle(server.name)}
          button={words.delete}
          typed={server.name}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{words.deleteLoses(server.channels.size, server.member_count)}</p>
        </Confirm>
      )}
    </>
  );
}
