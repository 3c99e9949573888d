// The page of bans: the banned people, the reasons, and the button that lifts a ban.
import { useCallback } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Item, ItemList, Nothing } from "../../../web/ui/controls/item-list.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { Loaded } from "../../../web/ui/session/fetched.tsx";
import { More, usePages } from "../../../web/ui/session/pages.tsx";
import { untilGone } from "../../../web/ui/session/until-gone.ts";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { dateOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { listBans, unbanUser } from "../calls.ts";
import type { Ban } from "../contract.ts";

const pageLength = 50;

export function SettingsBans({ server }: { server: OwnServer }) {
  const { memberSettings: words } = useWords();
  const load = useCallback(
    (last: Ban | undefined, signal?: AbortSignal) =>
      listBans(
        {
          params: { id: server.id },
          query: { limit: String(pageLength), ...(last && { after: last.user.id }) },
        },
        signal,
      ),
    [server.id],
  );
  const pages = usePages(load, ({ user }) => user.id);
  const lifted = (userId: string) =>
    pages.change((list) => ({ ...list, items: list.items.filter(({ user }) => user.id !== userId) }));
  return (
    <SettingsPage title={words.bans} lead={words.bansLead}>
      <Entry label={words.banned}>
        <Loaded of={pages}>
          {({ items }) =>
            items.length === 0 ? (
              <Nothing>{words.noBans}</Nothing>
            ) : (
              <ItemList label={words.banned}>
                {items.map((ban) => (
                  <BanItem key={ban.user.id} serverId={server.id} ban={ban} onLift={lifted} />
                ))}
              </ItemList>
            )
          }
        </Loaded>
        <More of={pages} />
      </Entry>
    </SettingsPage>
  );
}

interface Props {
  serverId: string;
  ban: Ban;
  onLift(userId: string): void;
}

function BanItem({ serverId, ban: { user, reason, created_at }, onLift }: Props) {
  const { memberSettings: words } = useWords();
  const act = useAct();
  const since = dateOf(new Date(created_at));
  const params = { id: serverId, userID: user.id };
  async function lift() {
    if (!(await act.run(() => untilGone(unbanUser({ params }))))) return;
    onLift(user.id);
    announce(words.lifted(user.display_name));
  }
  return (
    <Item
      face={<Face id={user.id} name={user.display_name} picture={user.avatar} size={36} />}
      title={user.display_name}
      about={words.bannedSince(user.username, since, reason)}
      actions={
        <Button
          isSmall
          isBusy={act.isBusy}
          aria-label={words.liftOf(user.display_name)}
          onClick={() => void lift()}
        >
          {words.lift}
        </Button>
      }
    >
      <Refused by={act.error} />
    </Item>
  );
}
