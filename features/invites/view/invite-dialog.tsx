// The dialog with an invite link, which is there when it opens; its limits can be changed. Menus and the settings open it.
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Buttons, Stack } from "../../../web/ui/controls/item-list.tsx";
import { Choice } from "../../../web/ui/controls/text-field.tsx";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { LinkField } from "../../instance/view/handed-out.tsx";
import type { Invite } from "../contract.ts";
import styles from "./invite-dialog.module.css";
import { type Making, useMaking } from "./making.ts";
import { usualHours } from "./usual.ts";

interface Props {
  server: Pick<OwnServer, "id" | "name">;
  /** True if the dialog must make a new invite each time. */
  isNew?: boolean;
  onMade?(invite: Invite): void;
  /** Called when an invite of this dialog was withdrawn, because another one replaced it. */
  onRevoked?(code: string): void;
  onClose(): void;
}

/** Hours until the invite expires; 0: never. */
const hours = [1, 12, 24, usualHours, 24 * 30, 0].map(String);
/** Number of uses; 0: unlimited. */
const uses = [0, 1, 5, 10, 25, 100].map(String);

export function InviteDialog({ server, isNew = false, onMade, onRevoked, onClose }: Props) {
  const { inviteSettings: words } = useWords();
  const making = useMaking({ serverId: server.id, isNew, onMade, onRevoked });
  const [isChanging, setChanging] = useState(false);
  return (
    <Dialog title={words.invitePeople(server.name)} onClose={onClose}>
      {isChanging ? (
        <Limits making={making} onDone={() => setChanging(false)} />
      ) : (
        <Link making={making} onChange={() => setChanging(true)} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Link({ making, onChange, onClose }: { making: Making; onChange(): void; onClose(): void }) {
  const { inviteSettings: words, parts } = useWords();
  const { invite, isBusy, error } = making;
  return (
    <Stack>
      <p>{words.lead}</p>
      {invite ? (
        <LinkField
          key={invite.code}
          label={words.link}
          value={invite.url}
          hasFocus
          isMain
          onCopied={making.giveOut}
        />
      ) : (
        <div className={styles.place} aria-busy={isBusy} />
      )}
      <Refused by={error} />
      {invite && (
        <p className={styles.limits}>
          <span>{words.good(lastsOf(invite), invite.max_uses)}</span>
          <Button kind="quiet" isSmall onClick={onChange}>
            {words.change}
          </Button>
        </p>
      )}
      <Buttons atEnd>
        {error && !invite && (
          <Button kind="primary" isBusy={isBusy} onClick={making.tryAgain}>
            {parts.tryAgain}
          </Button>
        )}
        <Button onClick={onClose}>{words.done}</Button>
      </Buttons>
    </Stack>
  );
}

function Limits({ making, onDone }: { making: Making; onDone(): void }) {
  const { inviteSettings: words, parts } = useWords();
  const [expires, setExpires] = useState(String(usualHours));
  const [most, setMost] = useState("0");
  async function change() {
    if (await making.change(Number(expires), Number(most))) onDone();
  }
  return (
    <Stack>
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
      <Refused by={making.error} />
      <Buttons atEnd>
        <Button kind="quiet" onClick={onDone}>
          {parts.cancel}
        </Button>
        <Button kind="primary" isBusy={making.isBusy} onClick={() => void change()}>
          {words.createLink}
        </Button>
      </Buttons>
    </Stack>
  );
}

/** Returns for how many hours an invite is still valid, days in whole ones; 0: it never expires. */
function lastsOf({ expires_at }: Invite): number {
  if (expires_at === null) return 0;
  const left = Math.max(1, Math.round((Date.parse(expires_at) - Date.now()) / 3_600_000));
  return left < 48 ? left : Math.round(left / 24) * 24;
}
