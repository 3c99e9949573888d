// The dialog of a member's roles: those below the reader's own can be given and taken.
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { Nothing } from "../../../web/ui/controls/item-list.tsx";
import { Switch } from "../../../web/ui/controls/switch.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { RoleName } from "../../roles/view/role-name.tsx";
import { useStanding } from "../../roles/view/standing.ts";
import type { Member } from "../contract.ts";
import { giveRoles } from "./give-roles.ts";

interface Props {
  server: OwnServer;
  member: Member;
  onClose(): void;
}

export function MemberRoles({ server, member, onClose }: Props) {
  const { memberSettings: words } = useWords();
  const { chat } = useHouse();
  const { rank } = useStanding(server);
  const act = useAct();
  // Only the switched ones: others may give and take roles meanwhile.
  const [switched, setSwitched] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isHeld = (id: string) => switched.get(id) ?? member.role_ids.includes(id);
  const roles = server.roles.filter(({ is_default }) => !is_default);
  function send() {
    const role_ids = roles.flatMap(({ id }) => (isHeld(id) ? [id] : []));
    void act.run(() => giveRoles(chat, server.id, member.user.id, role_ids), onClose);
  }
  return (
    <FormDialog
      title={words.rolesOf(member.user.display_name)}
      button={words.saveRoles}
      act={act}
      onSend={send}
      onClose={onClose}
    >
      {roles.length === 0 && <Nothing>{words.noRoles}</Nothing>}
      <div>
        {roles.map(({ id, name, color, position }) => (
          <Switch
            key={id}
            label={<RoleName name={name} color={color} />}
            isOn={isHeld(id)}
            disabledBecause={position >= rank ? words.roleAbove : undefined}
            onChange={(isOn) => setSwitched(new Map(switched).set(id, isOn))}
          />
        ))}
      </div>
    </FormDialog>
  );
}
