// The confirmation of a kick or a ban, which the menu of a person and the settings open.
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { TextField } from "../../../web/ui/controls/text-field.tsx";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { useTyped } from "../../../web/ui/overlays/typed.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { banUser, kickMember } from "../calls.ts";

interface RemovalProps {
  server: OwnServer;
  user: Pick<User, "id" | "display_name">;
  isBan: boolean;
  onClose(): void;
}

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
