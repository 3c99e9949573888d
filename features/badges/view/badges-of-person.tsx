// The dialog in which an admin awards badges to a person and takes them back.
import { useState } from "react";
import { CallError } from "../../../client/call.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Problem } from "../../../web/ui/controls/entry.tsx";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { useRefusal } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Badge } from "../../accounts/contract.ts";
import { giveBadge, listBadges, takeBadge } from "../calls.ts";
import { BadgeIcon } from "./badge-icon.tsx";
import styles from "./badges-page.module.css";

interface Person {
  id: string;
  name: string;
}

const ask = (signal: AbortSignal) => listBadges({}, signal);

/** Offers both for each badge: the badges of a person are known only to those who share a server with them. */
export function BadgesOfPerson({ id, name, onClose }: Person & { onClose(): void }) {
  const { badges: words } = useWords();
  const asked = useFetched(ask);
  return (
    <Dialog title={words.ofPerson(name)} onClose={onClose}>
      <Loaded of={asked}>
        {(badges) =>
          badges.length === 0 ? (
            <p>
              {words.none} <Link href={paths.admin("badges")}>{words.makeFirst}</Link>
            </p>
          ) : (
            <ul>
              {badges.map((badge) => (
                <Holding key={badge.id} badge={badge} person={{ id, name }} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Holding({ badge, person }: { badge: Badge; person: Person }) {
  const { badges: words } = useWords();
  const { act, busyWith, done, refusal } = useHolding(badge, person);
  const buttons = [
    { what: "give", label: words.give, named: words.giveNamed(badge.name) },
    { what: "take", label: words.take, named: words.takeNamed(badge.name) },
  ] as const;
  return (
    <li className={styles.badge}>
      <BadgeIcon badge={badge} />
      <div className={styles.said}>
        <b>{badge.name}</b>
        {done && <p>{done}</p>}
        {refusal && <Problem>{refusal}</Problem>}
      </div>
      <div className={styles.acts}>
        {buttons.map(({ what, label, named }) => (
          <Button
            key={what}
            isSmall
            aria-label={named}
            isBusy={busyWith === what}
            onClick={() => void act(what)}
          >
            {label}
          </Button>
        ))}
      </div>
    </li>
  );
}

function useHolding(badge: Badge, person: Person) {
  const { badges: words } = useWords();
  const [busyWith, setBusyWith] = useState<"give" | "take">();
  const [done, setDone] = useState<string>();
  const [error, setError] = useState<CallError>();

  async function act(what: "give" | "take") {
    setBusyWith(what);
    setError(undefined);
    setDone(undefined);
    try {
      const params = { id: person.id, badgeID: badge.id };
      await (what === "give" ? giveBadge({ params }) : takeBadge({ params }));
      const said = (what === "give" ? words.given : words.taken)(badge.name, person.name);
      setDone(said);
      announce(said);
    } catch (failure) {
      setError(CallError.from(failure));
    }
    setBusyWith(undefined);
  }

  return { act, busyWith, done, refusal: useRefusal(error) };
}
