// Kicking and banning: for those who may, of people who rank below them.
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { TextField } from "../../../web/ui/controls/text-field.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { useTyped } from "../../../web/ui/overlays/typed.ts";
import { useServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { useStanding } from "../../roles/view/standing.ts";
import { banUser, kickMember } from "../calls.ts";
import type { Member } from "../contract.ts";
import { useMember } from "./members.ts";

interface Props {
  serverId: string;
  user: User;
  close(): void;
}

export function RemovalButtons({ serverId, user, close }: Props) {
  const server = useServer(serverId);
  const member = useMember(serverId, user.id);
  return server && member ? <Buttons server={server} member={member} close={close} /> : null;
}

function Buttons({ server, member, close }: { server: OwnServer; member: Member; close(): void }) {
  const { members: words } = useWords();
  const { user, role_ids } = member;
  const standing = useStanding(server);
  if (!standing.outranks(user.id, role_ids)) return null;
  const ask = (isBan: boolean) => {
    close();
    openOver((done) => <Removal server={server} user={user} isBan={isBan} onClose={done} />);
  };
  return (
    <>
      {standing.may("KICK_MEMBERS") && (
        <Button isSmall kind="danger" onClick={() => ask(false)}>
          {words.kick}
        </Button>
      )}
      {standing.may("BAN_MEMBERS") && (
        <Button isSmall kind="danger" onClick={() => ask(true)}>
          {words.ban}
        </Button>
      )}
    </>
  );
}

interface RemovalProps {
  server: OwnServer;
  user: User;
  isBan: boolean;
  onClose(): void;
}

/** The confirmation of a kick or a ban. Settings open it, too. */
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
