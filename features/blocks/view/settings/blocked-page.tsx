// Settings: the people whom the user blocks. Unblocking can be undone as long as the page is open.
import { useCallback, useState } from "react";
import { announce } from "../../../../web/ui/browser/announce.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Entry } from "../../../../web/ui/controls/entry.tsx";
import { Face } from "../../../../web/ui/controls/face.tsx";
import { useAct } from "../../../../web/ui/overlays/act.ts";
import { Refused } from "../../../../web/ui/overlays/refused.tsx";
import { Loaded, useFetched } from "../../../../web/ui/session/fetched.tsx";
import { SettingsPage } from "../../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { blockUser, listBlocks, unblockUser } from "../../calls.ts";
import styles from "./blocked.module.css";

type Person = Awaited<ReturnType<typeof listBlocks>>[number];

export function BlockedPage() {
  const { blocked: words, parts } = useWords();
  const people = useFetched(useCallback((signal: AbortSignal) => listBlocks({}, signal), []));
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      <Entry label={people.value && people.value.length > 0 && parts.people(people.value.length)}>
        <Loaded of={people}>
          {(all) =>
            all.length === 0 ? (
              <p className={styles.none}>{words.none}</p>
            ) : (
              <ul>
                {all.map((person) => (
                  <Blocked key={person.id} person={person} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Entry>
    </SettingsPage>
  );
}

function Blocked({ person }: { person: Person }) {
  const { blocked: words } = useWords();
  const act = useAct();
  const [isBlocked, setBlocked] = useState(true);
  const { id, display_name: name, username, avatar } = person;
  async function turn() {
    const params = { userID: id };
    const call = isBlocked ? unblockUser : blockUser;
    if (!(await act.run(() => call({ params })))) return;
    if (isBlocked) announce(words.unblocked(name));
    setBlocked(!isBlocked);
  }
  return (
    <li className={styles.row}>
      <Face id={id} name={name} picture={avatar} size={32} />
      <div className={styles.who}>
        <b>{name}</b>
        <p>{isBlocked ? `@${username}` : words.unblocked(name)}</p>
      </div>
      <Button
        isSmall
        isBusy={act.isBusy}
        aria-label={isBlocked ? words.unblockNamed(name) : words.undoNamed(name)}
        onClick={() => void turn()}
      >
        {isBlocked ? words.unblock : words.undo}
      </Button>
      <Refused by={act.error} />
    </li>
  );
}
