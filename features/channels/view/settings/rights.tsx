// The permissions of one role or member in a channel: allowed, neutral or denied, each with what that means.
import { Check, Minus, X } from "lucide-react";
import { useId } from "react";
import type { OwnServer } from "../../../../client/servers.ts";
import type { Override } from "../../../../protocol/overrides.ts";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { Entry } from "../../../../web/ui/controls/entry.tsx";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { useMember } from "../../../members/view/members.ts";
import { roleHolder } from "../../../roles/state.ts";
import type { OwnChannel } from "../../state.ts";
import styles from "./permissions.module.css";
import type { OverridesDraft } from "./permissions-page.tsx";
import { useReason } from "./standing.ts";
import { keyOf, type Neutral, neutralOf, rightsIn, type Setting, type Target } from "./targets.ts";

interface Props {
  server: OwnServer;
  channel: OwnChannel;
  target: Target;
  /** The number of holders by role id, where it is known. */
  holders: ReadonlyMap<string, number> | undefined;
  /** With the changes that are not saved. */
  overrides: readonly Override[];
  draft: OverridesDraft;
}

export function Rights({ server, channel, target, holders, overrides, draft }: Props) {
  const { channelSettings: words, roles, parts } = useWords();
  const member = useMember(server.id, target.kind === "member" ? target.id : undefined);
  const role = server.roles.find(({ id }) => id === target.id);
  const reason = useReason(server, channel, target);
  const says = useSays(server, channel);
  // A role is looked at as somebody who holds nothing but it.
  const holder = role
    ? roleHolder("", server, [role.id])
    : roleHolder(target.id, server, member?.role_ids ?? []);
  const name = role?.name ?? member?.user.display_name ?? words.somebodyGone;
  const people = role?.is_default ? server.member_count : role && holders && (holders.get(role.id) ?? 0);
  const label = (
    <span className={styles.who}>
      <b className="lit" style={{ "--user": role?.color }}>
        {name}
      </b>
      {people !== undefined && <small className={styles.small}>{parts.people(people)}</small>}
    </span>
  );
  return rightsIn(channel).map((right, i) => {
    const key = keyOf(target.id, right);
    const setting = draft.values[key] ?? "neutral";
    const why = reason(right);
    return (
      <Entry key={right} label={i === 0 && label} isChanged={draft.changed.has(key)}>
        <ThreeWay
          label={roles.rights[right].name}
          says={why ?? says(setting, neutralOf(holder, overrides, target, right))}
          value={setting}
          isOff={why !== undefined}
          isFirst={i === 0}
          onChange={(next) => draft.set(key, next)}
        />
      </Entry>
    );
  });
}

/** Returns the second line of a permission: what holds while it is neutral, or what the choice overrules. */
function useSays({ roles }: OwnServer, { name }: OwnChannel) {
  const { channelSettings: words } = useWords();
  return (setting: Setting, { isHeld, by }: Neutral): string => {
    const decider =
      by?.source === "owner" ? words.stepOwner : (roles.find(({ id }) => id === by?.id)?.name ?? name);
    if (setting === "allow") return isHeld || !by ? words.allowed : words.allowedOver(decider);
    if (setting === "deny") return isHeld ? words.deniedOver(decider) : words.denied;
    if (isHeld) return words.neutralAllowed(decider);
    return by ? words.neutralDenied(decider) : words.neutralNot;
  };
}

const choices = [
  ["allow", Check],
  ["neutral", Minus],
  ["deny", X],
] as const;

interface ThreeProps {
  label: string;
  says: string;
  value: Setting;
  isOff: boolean;
  /** False if a line divides it from the one above. */
  isFirst: boolean;
  onChange(next: Setting): void;
}

function ThreeWay({ label, says, value, isOff, isFirst, onChange }: ThreeProps) {
  const { channelSettings: words } = useWords();
  const id = useId();
  return (
    <div className={classNames(styles.right, !isFirst && styles.ruled)}>
      <div className={styles.text}>
        <b>{label}</b>
        <p id={id}>{says}</p>
      </div>
      <div
        role="radiogroup"
        aria-label={label}
        aria-describedby={id}
        aria-disabled={isOff || undefined}
        className={classNames(styles.three, isOff && styles.off)}
      >
        {choices.map(([choice, icon]) => (
          <label key={choice} className={styles.choice} title={isOff ? says : undefined}>
            <input
              type="radio"
              name={`${id}-choice`}
              checked={value === choice}
              aria-disabled={isOff || undefined}
              onChange={() => !isOff && onChange(choice)}
            />
            {value === choice && <Icon of={icon} size={14} />}
            <span>{words.choices[choice]}</span>
          </label>
        ))}
      </div>
    </div>
  );
}
