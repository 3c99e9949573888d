// The dialog that makes an invite link, for a time and a number of uses. Menus and the settings open it.
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Buttons, Stack } from "../../../web/ui/controls/item-list.tsx";
import { Choice } from "../../../web/ui/controls/text-field.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { LinkField } from "../../instance/view/handed-out.tsx";
import { createInvite } from "../calls.ts";
import type { Invite } from "../contract.ts";
import { useValidity } from "./validity.ts";

interface Props {
  server: Pick<OwnServer, "id" | "name">;
  onMade?(invite: Invite): void;
  onClose(): void;
}

/** Hours until the invite expires; 0: never. */
const hours = [1, 12, limits.invite_hours_default, 24 * 7, 24 * 30, 0].map(String);
/** Number of uses; 0: unlimited. */
const uses = [0, 1, 5, 10, 25, 100].map(String);

export function InviteDialog({ server, onMade, onClose }: Props) {
  const { inviteSettings: words } = useWords();
  const act = useAct();
  const [expires, setExpires] = useState(String(limits.invite_hours_default));
  const [most, setMost] = useState("0");
  const [made, setMade] = useState<Invite>();
  async function make() {
    await act.run(async () => {
      const body = { server_id: server.id, expires_hours: Number(expires), max_uses: Number(most) };
      const invite = await createInvite({ body });
      setMade(invite);
      onMade?.(invite);
    });
  }
  const title = words.invitePeople(server.name);
  if (made) return <Made title={title} invite={made} onClose={onClose} />;
  return (
    <FormDialog title={title} button={words.makeLink} act={act} onSend={() => void make()} onClose={onClose}>
      <p>{words.lead}</p>
      <Choice
        label={words.expiresAfter}
        value={expires}
        options={hours.map((value) => ({ value, label: words.hours(Number(value)) }))}
        onChange={setExpires}
      />
      <Choice
        label={words.mostUses}
        value={most}
        options={uses.map((value) => ({ value, label: words.times(Number(value)) }))}
        onChange={setMost}
      />
    </FormDialog>
  );
}

function Made({ title, invite, onClose }: { title: string; invite: Invite; onClose(): void }) {
  const { inviteSettings: words } = useWords();
  const validity = useValidity();
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <LinkField label={words.link} value={invite.url} hasFocus />
        <p>{validity(invite)}</p>
        <Buttons>
          <Button kind="primary" onClick={onClose}>
            {words.done}
          </Button>
        </Buttons>
      </Stack>
    </Dialog>
  );
}
