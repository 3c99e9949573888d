// Removing somebody from a server, and keeping them out: for those who may, of people who rank below them.
import type { ServerEntry } from "../../../client/ready.ts";
import { limits } from "../../../protocol/limits.ts";
import { holds, permission } from "../../../protocol/permissions.ts";
import { Button } from "../../../web/ui/button.tsx";
import { Confirm } from "../../../web/ui/confirm.tsx";
import { useCopy, useServer } from "../../../web/ui/house.tsx";
import { openOver } from "../../../web/ui/opened.tsx";
import { TextField } from "../../../web/ui/text-field.tsx";
import { useTyped } from "../../../web/ui/typed.ts";
import { useWords } from "../../../web/ui/words.ts";
import type { User } from "../../accounts/contract.ts";
import { banUser, kickMember } from "../calls.ts";
import { useMember } from "./members.ts";

interface Props {
  serverId: string;
  user: User;
  close(): void;
}

export function RemovalButtons({ serverId, user, close }: Props) {
  const { members: words } = useWords();
  const server = useServer(serverId);
  const member = useMember(serverId, user.id);
  const ownId = useCopy((copy) => copy.user.id);
  if (!server || !member || !ranksAbove(server, ownId, member.user.id, member.role_ids)) return null;
  const ask = (isBan: boolean) => {
    close();
    openOver((done) => <Removal server={server} user={user} isBan={isBan} onClose={done} />);
  };
  const may = (bit: number) => holds({ bits: server.permissions }, bit);
  return (
    <>
      {may(permission.KICK_MEMBERS) && (
        <Button isSmall kind="danger" onClick={() => ask(false)}>
          {words.kick}
        </Button>
      )}
      {may(permission.BAN_MEMBERS) && (
        <Button isSmall kind="danger" onClick={() => ask(true)}>
          {words.ban}
        </Button>
      )}
    </>
  );
}

/** The owner ranks above all; others by the highest of their roles. */
function ranksAbove(server: ServerEntry, ownId: string, id: string, roleIds: readonly string[]): boolean {
  if (id === server.owner_id || id === ownId) return false;
  if (ownId === server.owner_id) return true;
  const rank = (held: readonly string[]) =>
    Math.max(0, ...server.roles.filter((role) => held.includes(role.id)).map(({ position }) => position));
  return rank(server.role_ids) > rank(roleIds);
}

interface RemovalProps {
  server: ServerEntry;
  user: User;
  isBan: boolean;
  onClose(): void;
}

/** Settings open it too. */
export function Removal({ server, user, isBan, onClose }: RemovalProps) {
  const { members: words } = useWords();
  const reason = useTyped(`ban ${server.id} ${user.id}`);
  const name = user.display_name;
  const params = { id: server.id, userID: user.id };
  return (
    <Confirm
      title={isBan ? words.banTitle(name) : words.kickTitle(name)}
      button={isBan ? words.ban : words.kick}
      onConfirm={async () => {
        if (!isBan) return kickMember({ params });
        await banUser({ params, body: { reason: reason.value.trim() || null } });
        reason.forget();
      }}
      onClose={onClose}
    >
      <p>{isBan ? words.banLead(name, server.name) : words.kickLead(name, server.name)}</p>
      {isBan && (
        <TextField
          label={words.reason}
          hint={words.reasonHint}
          value={reason.value}
          maxLength={limits.ban_reason_max}
          onChange={reason.set}
        />
      )}
    </Confirm>
  );
}
