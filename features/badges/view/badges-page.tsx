// The page of the instance's badges, with the form that makes a new one.
import { useState } from "react";
import { announce } from "../../../web/ui/browser/announce.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { untilGone } from "../../../web/ui/session/until-gone.ts";
import { withItem } from "../../../web/ui/session/with-item.ts";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Badge } from "../../accounts/contract.ts";
import { useTitle } from "../../instance/view/title.ts";
import { deleteBadge, listBadges } from "../calls.ts";
import { BadgeIcon } from "./badge-icon.tsx";
import styles from "./badges-page.module.css";
import { NewBadge } from "./new-badge.tsx";

const ask = (signal: AbortSignal) => listBadges({}, signal);

export function BadgesPage() {
  const { badges: words } = useWords();
  useTitle(words.badges);
  const asked = useFetched(ask);
  const [going, setGoing] = useState<Badge>();
  return (
    <SettingsPage title={words.badges} lead={words.lead}>
      <Entry label={<span className={styles.flush}>{words.there}</span>}>
        <Loaded of={asked}>{(badges) => <Badges badges={badges} onDelete={setGoing} />}</Loaded>
      </Entry>
      <NewBadge onMade={(badge) => asked.change((badges) => withItem(badges, badge))} />
      {going && (
        <Confirm
          title={words.deleteTitle(going.name)}
          button={words.deleteAct}
          onClose={() => setGoing(undefined)}
          onConfirm={async () => {
            await untilGone(deleteBadge({ params: { id: going.id } }));
            asked.change((badges) => badges.filter(({ id }) => id !== going.id));
            announce(words.deleted(going.name));
          }}
        >
          <p>{words.deleteLead}</p>
        </Confirm>
      )}
    </SettingsPage>
  );
}

function Badges({ badges, onDelete }: { badges: readonly Badge[]; onDelete(badge: Badge): void }) {
  const { badges: words } = useWords();
  if (badges.length === 0) return <p className={styles.none}>{words.none}</p>;
  return (
    <ul>
      {badges.map((badge) => (
        <li key={badge.id} className={styles.badge}>
          <BadgeIcon badge={badge} />
          <div className={styles.said}>
            <b>{badge.name}</b>
            <p>{badge.description}</p>
          </div>
          <Button
            isSmall
            kind="danger"
            aria-label={words.deleteNamed(badge.name)}
            onClick={() => onDelete(badge)}
          >
            {words.delete}
          </Button>
        </li>
      ))}
    </ul>
  );
}
