// The role settings: their order, and name, colour and permissions of the selected one.
import { type ReactNode, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Role } from "../contract.ts";
import { RoleEditor } from "./role-editor.tsx";
import { RoleOrder } from "./role-order.tsx";
import { useRolesDraft } from "./roles-draft.ts";
import styles from "./settings-roles.module.css";
import { useStanding } from "./standing.ts";

interface Props {
  server: OwnServer;
  /** The number of holders by role id; undefined until it is known. */
  holders: ReadonlyMap<string, number> | undefined;
  /** The people who hold a role other than @everyone. */
  people(role: Role): ReactNode;
}

export function SettingsRoles({ server, holders, people }: Props) {
  const { roles: words } = useWords();
  const standing = useStanding(server);
  const { roles } = server;
  const first = () =>
    roles.find(({ position, is_default }) => !is_default && position < standing.rank) ?? roles.at(-1);
  // The first one is chosen once: when others change the order, another role does not appear under the pointer.
  const [chosenId, setChosenId] = useState(() => first()?.id);
  const [newId, setNewId] = useState<string>();
  const chosen = roles.find(({ id }) => id === chosenId) ?? first();
  const draft = useRolesDraft(roles);
  const choose = (id: string, isNew = false) => {
    setChosenId(id);
    setNewId(isNew ? id : undefined);
  };
  const lead = (
    <>
      {words.lead} <span className={styles.byHand}>{words.orderHint}</span>
    </>
  );
  return (
    <SettingsPage title={words.title} lead={lead} draft={draft}>
      <Entry label={words.order}>
        <RoleOrder
          server={server}
          standing={standing}
          draft={draft}
          holders={holders}
          chosenId={chosen?.id}
          onChoose={choose}
          onMade={(id) => choose(id, true)}
        />
      </Entry>
      {chosen && (
        <RoleEditor
          key={chosen.id}
          server={server}
          standing={standing}
          role={chosen}
          isNew={chosen.id === newId}
          draft={draft}
          people={chosen.is_default ? null : people(chosen)}
        />
      )}
    </SettingsPage>
  );
}
