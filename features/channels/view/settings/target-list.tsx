// The roles and members for whom a channel has overrides.
import { type ReactNode, useState, useSyncExternalStore } from "react";
import type { OwnServer } from "../../../../client/servers.ts";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Entry } from "../../../../web/ui/controls/entry.tsx";
import { Face } from "../../../../web/ui/controls/face.tsx";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Member } from "../../../members/contract.ts";
import { useMember } from "../../../members/view/members.ts";
import type { Role } from "../../../roles/contract.ts";
import { RoleName } from "../../../roles/view/role-name.tsx";
import type { OwnChannel } from "../../state.ts";
import { useMayAskWhy, WhyDialog } from "../why.ts";
import styles from "./permissions.module.css";
import { everyRight, keyOf, type Settings, type Target } from "./targets.ts";

interface Props {
  server: OwnServer;
  channel: OwnChannel;
  targets: readonly Target[];
  settings: Settings;
  chosenId: string | undefined;
  onChoose(target: Target): void;
  /** The buttons below the list. */
  children: ReactNode;
}

export function TargetList({ children, targets, ...props }: Props) {
  const { channelSettings: words } = useWords();
  const { members } = useHouse();
  const known = useSyncExternalStore(members.subscribe, () => members.of(props.server.id));
  const label = (
    <>
      {words.who}
      <small className={styles.small}>{words.whoLead}</small>
    </>
  );
  return (
    <Entry label={label}>
      <ul aria-label={words.who} className={styles.list}>
        {inOrder(props.server.roles, known, targets).map((target) => (
          <Row key={target.id} {...props} target={target} />
        ))}
      </ul>
      <div className={styles.below}>{children}</div>
    </Entry>
  );
}

/** @everyone first, then the other roles by rank, then members by name; those who have left stand last. */
function inOrder(
  roles: readonly Role[],
  members: readonly Member[],
  targets: readonly Target[],
): readonly Target[] {
  const rank = ({ id, kind }: Target) => {
    const at = roles.findIndex((role) => role.id === id);
    if (kind === "member" || at < 0) return roles.length;
    return roles[at]?.is_default ? -1 : at;
  };
  const names = new Map(members.map(({ user }) => [user.id, user.display_name]));
  const byName = (one: string | undefined, other: string | undefined) => {
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return one.localeCompare(other);
  };
  return targets.toSorted(
    (one, other) => rank(one) - rank(other) || byName(names.get(one.id), names.get(other.id)),
  );
}

type RowProps = Omit<Props, "targets" | "children"> & { target: Target };

function Row({ server, channel, target, settings, chosenId, onChoose }: RowProps) {
  const { channelSettings: words } = useWords();
  const isMember = target.kind === "member";
  const member = useMember(server.id, isMember ? target.id : undefined);
  const role = server.roles.find(({ id }) => id === target.id);
  const mayAsk = useMayAskWhy(server.permissions, target.id);
  const [isAsking, setAsking] = useState(false);
  const name = member?.user.display_name ?? words.somebodyGone;
  const count = (setting: string) =>
    everyRight.filter((right) => settings[keyOf(target.id, right)] === setting).length;
  const isHere = target.id === chosenId;
  return (
    <li className={classNames(styles.row, isHere && styles.here)}>
      <button
        type="button"
        aria-current={isHere || undefined}
        className={styles.choose}
        onClick={() => onChoose(target)}
      >
        {role ? (
          <RoleName name={role.name} color={role.color} />
        ) : (
          <span className={styles.person}>
            <Face id={target.id} name={name} picture={member?.user.avatar} size={20} />
            <b>{name}</b>
          </span>
        )}
        <span className={styles.sum}>{words.sum(count("allow"), count("deny")) || words.nothingSet}</span>
      </button>
      {isMember && member && mayAsk && (
        <Button isSmall aria-label={words.why(name)} onClick={() => setAsking(true)}>
          {words.whyShort}
        </Button>
      )}
      {isAsking && (
        <WhyDialog channel={channel} userId={target.id} name={name} onClose={() => setAsking(false)} />
      )}
    </li>
  );
}
