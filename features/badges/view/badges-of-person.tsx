// The dialog in which an admin awards badges to a person and takes them back.
import { useCallback } from "react";
import { announce } from "../../../web/ui/browser/announce.ts";
import { Switch } from "../../../web/ui/controls/switch.tsx";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { useInOrder } from "../../../web/ui/session/in-order.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Badge } from "../../accounts/contract.ts";
import { giveBadge, listBadges, listBadgesOf, takeBadge } from "../calls.ts";
import { BadgeIcon } from "./badge-icon.tsx";
import styles from "./badges-page.module.css";

interface Person {
  id: string;
  name: string;
}

interface Held {
  badges: readonly Badge[];
  /** Ids of those that the person has. */
  heldIds: readonly string[];
}

export function BadgesOfPerson({ id, name, onClose }: Person & { onClose(): void }) {
  const { badges: words } = useWords();
  const load = useCallback((signal: AbortSignal) => loadHeld(id, signal), [id]);
  const asked = useFetched(load);
  return (
    <Dialog title={words.ofPerson(name)} onClose={onClose}>
      <Loaded of={asked}>
        {({ badges, heldIds }) =>
          badges.length === 0 ? (
            <p>
              {words.none} <Link href={paths.admin("badges")}>{words.makeFirst}</Link>
            </p>
          ) : (
            <ul>
              {badges.map((badge) => (
                <Holding
                  key={badge.id}
                  badge={badge}
                  person={{ id, name }}
                  isHeld={heldIds.includes(badge.id)}
                  onChange={(isHeld) => asked.change((held) => withHeld(held, badge.id, isHeld))}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}

async function loadHeld(id: string, signal: AbortSignal): Promise<Held> {
  const [badges, held] = await Promise.all([
    listBadges({}, signal),
    listBadgesOf({ params: { id } }, signal),
  ]);
  return { badges, heldIds: held.map((badge) => badge.id) };
}

function withHeld({ badges, heldIds }: Held, id: string, isHeld: boolean): Held {
  const others = heldIds.filter((each) => each !== id);
  return { badges, heldIds: isHeld ? [...others, id] : others };
}

interface HoldingProps {
  badge: Badge;
  person: Person;
  isHeld: boolean;
  onChange(isHeld: boolean): void;
}

/** The switch shows the new state at once, and the old one again when it is refused. */
function Holding({ badge, person, isHeld, onChange }: HoldingProps) {
  const { badges: words } = useWords();
  const act = useAct();
  const inOrder = useInOrder();
  async function send(isOn: boolean) {
    const params = { id: person.id, badgeID: badge.id };
    const isDone = await act.run(() => (isOn ? giveBadge({ params }) : takeBadge({ params })));
    if (!isDone) onChange(!isOn);
    else announce((isOn ? words.given : words.taken)(badge.name, person.name));
  }
  return (
    <li className={styles.badge}>
      <BadgeIcon badge={badge} />
      <div className={styles.wide}>
        <Switch
          label={badge.name}
          hint={badge.description || undefined}
          isOn={isHeld}
          onChange={(isOn) => {
            onChange(isOn);
            inOrder(() => send(isOn));
          }}
        />
        <Refused by={act.error} />
      </div>
    </li>
  );
}
