// Pages of earlier features with facts about members: the owner of the server, and who holds a role.
import { LogOut } from "lucide-react";
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { SettingsRoles } from "../../roles/view/settings-roles.tsx";
import { SettingsOverview } from "../../servers/view/settings-overview.tsx";
import { HandOver } from "./hand-over.tsx";
import { LeaveServer } from "./leave-server.tsx";
import { useMember } from "./members.ts";
import { RolePeople } from "./role-people.tsx";
import { useHolders } from "./settings-list.ts";
import styles from "./settings-members.module.css";

export function RolesPage({ server }: { server: OwnServer }) {
  return (
    <SettingsRoles
      server={server}
      holders={useHolders(server.id)}
      people={(role) => <RolePeople server={server} role={role} />}
    />
  );
}

export function OverviewPage({ server }: { server: OwnServer }) {
  const { memberSettings: words } = useWords();
  const ownId = useCopy((copy) => copy.user.id);
  const isOwner = server.owner_id === ownId;
  const owner = useMember(server.id, server.owner_id);
  const [isLeaving, setLeaving] = useState(false);
  const [isHandingOver, setHandingOver] = useState(false);
  return (
    <SettingsOverview server={server}>
      <Entry label={words.owner}>
        <p className={styles.line}>{isOwner ? words.you : (owner?.user.display_name ?? words.unknown)}</p>
        {isOwner && (
          <Button kind="danger" onClick={() => setHandingOver(true)}>
            {words.handOver}
          </Button>
        )}
        {isHandingOver && <HandOver server={server} onClose={() => setHandingOver(false)} />}
      </Entry>
      <Entry label={words.leaving}>
        <p className={styles.line}>{isOwner ? words.ownerStays : words.leaveLead}</p>
        {!isOwner && (
          <Button kind="danger" icon={LogOut} onClick={() => setLeaving(true)}>
            {words.leave}
          </Button>
        )}
        {isLeaving && <LeaveServer server={server} onClose={() => setLeaving(false)} />}
      </Entry>
    </SettingsOverview>
  );
}
