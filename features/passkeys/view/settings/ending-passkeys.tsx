// Passkeys to delete with a password change, as they outlive the password and open the account without it.
import { useEffect, useState } from "react";
import { Entry } from "../../../../web/ui/controls/entry.tsx";
import { Switch } from "../../../../web/ui/controls/switch.tsx";
import type { Fetched } from "../../../../web/ui/session/fetched.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { PasskeysToKeep } from "../../../sessions/view/settings/password-form.tsx";
import styles from "./passkeys.module.css";
import type { Passkey } from "./sign-in-page.tsx";
import { useUses } from "./uses.ts";

interface Ending {
  reload(): void;
  all: readonly Passkey[];
  ends(passkey: Passkey): boolean;
  choose(passkey: Passkey, ends: boolean): void;
}

/** Preselects passkeys added after the last sign-in by password, which a stolen session could have added. */
export function useEnding({ value, change, reload }: Fetched<Passkey[]>): Ending & PasskeysToKeep {
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const all = value ?? [];
  const ends = ({ id, newer_than_password }: Passkey) => chosen[id] ?? newer_than_password;
  return {
    reload,
    all,
    ends,
    choose: ({ id }, isEnding) => setChosen({ ...chosen, [id]: isEnding }),
    // A passkey added since the list was shown is deleted, too. Without the list nothing was chosen.
    kept: () => value?.filter((passkey) => !ends(passkey)).map(({ id }) => id),
    onChanged: (kept) => change((before) => before.filter(({ id }) => kept.includes(id))),
  };
}

export function EndingPasskeys({ all, ends, choose, reload }: Ending) {
  const { signIn: words } = useWords();
  // Another device may have added one since the settings were opened.
  useEffect(reload, [reload]);
  if (all.length === 0) return null;
  return (
    <Entry label={words.endingTitle}>
      <p className={styles.none}>{words.endingLead}</p>
      {all.map((passkey) => (
        <Choice
          key={passkey.id}
          passkey={passkey}
          isOn={ends(passkey)}
          onChange={(isEnding) => choose(passkey, isEnding)}
        />
      ))}
    </Entry>
  );
}

interface ChoiceProps {
  passkey: Passkey;
  isOn: boolean;
  onChange(isOn: boolean): void;
}

function Choice({ passkey, ...choice }: ChoiceProps) {
  const { signIn: words } = useWords();
  return <Switch {...choice} label={words.endNamed(passkey.name)} hint={useUses(passkey).join(" · ")} />;
}
