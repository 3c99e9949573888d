// The page of invites: the live ones, with a link to copy each, and the button that makes another one.
import { Copy, Link2, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { copyText } from "../../../web/ui/controls/copy-text.ts";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Item, ItemList, Nothing } from "../../../web/ui/controls/item-list.tsx";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { Loaded } from "../../../web/ui/session/fetched.tsx";
import { More, usePages } from "../../../web/ui/session/pages.tsx";
import { untilGone } from "../../../web/ui/session/until-gone.ts";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { ThisComputerOnly, useHandedOut } from "../../instance/view/handed-out.tsx";
import { deleteInvite, listInvites } from "../calls.ts";
import type { Invite } from "../contract.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { useValidity } from "./validity.ts";

const pageLength = 50;

export function SettingsInvites({ server }: { server: OwnServer }) {
  const { inviteSettings: words } = useWords();
  const [isMaking, setMaking] = useState(false);
  const load = useCallback(
    (last: Invite | undefined, signal?: AbortSignal) =>
      listInvites(
        {
          params: { id: server.id },
          query: { limit: String(pageLength), ...(last && { before: last.code }) },
        },
        signal,
      ),
    [server.id],
  );
  const pages = usePages(load, ({ code }) => code);
  const without = (code: string, items: readonly Invite[]) => items.filter((each) => each.code !== code);
  const made = (invite: Invite) =>
    pages.change((list) => ({ ...list, items: [invite, ...without(invite.code, list.items)] }));
  const revoked = (code: string) => pages.change((list) => ({ ...list, items: without(code, list.items) }));
  return (
    <SettingsPage title={words.title} lead={words.pageLead}>
      <Entry>
        <Button icon={Plus} onClick={() => setMaking(true)}>
          {words.make}
        </Button>
        {isMaking && (
          <InviteDialog
            server={server}
            isNew
            onMade={made}
            onRevoked={revoked}
            onClose={() => setMaking(false)}
          />
        )}
      </Entry>
      <Entry label={words.live}>
        <Loaded of={pages}>{({ items }) => <Live invites={items} onRevoke={revoked} />}</Loaded>
        <More of={pages} />
      </Entry>
    </SettingsPage>
  );
}

interface LiveProps {
  invites: readonly Invite[];
  onRevoke(code: string): void;
}

function Live({ invites, onRevoke }: LiveProps) {
  const { inviteSettings: words } = useWords();
  const handedOut = useHandedOut();
  const [newest] = invites;
  if (newest === undefined) return <Nothing>{words.none}</Nothing>;
  return (
    <>
      {/* All links have the same address of this Hearth, and a long list would hide a line below it. */}
      <ThisComputerOnly url={handedOut(newest.url)} />
      <ItemList label={words.live}>
        {invites.map((invite) => (
          <InviteItem key={invite.code} invite={invite} onRevoke={onRevoke} />
        ))}
      </ItemList>
    </>
  );
}

function InviteItem({ invite, onRevoke }: { invite: Invite; onRevoke(code: string): void }) {
  const { inviteSettings: words } = useWords();
  const [isAsking, setAsking] = useState(false);
  const validity = useValidity();
  const { code, url } = invite;
  const handedOut = useHandedOut();
  async function revoke() {
    await untilGone(deleteInvite({ params: { code } }));
    onRevoke(code);
  }
  return (
    <Item
      face={<Icon of={Link2} />}
      title={<code>{code}</code>}
      about={validity(invite)}
      actions={
        <>
          <Button
            isSmall
            icon={Copy}
            aria-label={words.copyOf(code)}
            onClick={() => void copyText(handedOut(url))}
          >
            {words.copyLink}
          </Button>
          <Button isSmall kind="danger" aria-label={words.revokeOf(code)} onClick={() => setAsking(true)}>
            {words.revoke}
          </Button>
        </>
      }
    >
      {isAsking && (
        <Confirm
          title={words.revokeTitle}
          button={words.revoke}
          onConfirm={revoke}
          onClose={() => setAsking(false)}
        >
          <p>{words.revokeLead}</p>
        </Confirm>
      )}
    </Item>
  );
}
