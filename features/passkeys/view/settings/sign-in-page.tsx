// Settings: password and passkeys.
import { KeyRound } from "lucide-react";
import { useCallback, useState } from "react";
import { limits } from "../../../../protocol/limits.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Entry } from "../../../../web/ui/controls/entry.tsx";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { Confirm } from "../../../../web/ui/overlays/confirm.tsx";
import { type Fetched, Loaded, useFetched } from "../../../../web/ui/session/fetched.tsx";
import { untilGone } from "../../../../web/ui/session/until-gone.ts";
import { SettingsPage } from "../../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { PasswordForm } from "../../../sessions/view/settings/password-form.tsx";
import { deletePasskey, listPasskeys } from "../../calls.ts";
import { whyNoPasskeys } from "../capable.ts";
import { AddPasskey, NoPasskeys } from "./add-passkey.tsx";
import { EndingPasskeys, useEnding } from "./ending-passkeys.tsx";
import styles from "./passkeys.module.css";
import { useUses } from "./uses.ts";

export type Passkey = Awaited<ReturnType<typeof listPasskeys>>[number];

export function SignInPage() {
  const { signIn: words } = useWords();
  const passkeys = useFetched(useCallback((signal: AbortSignal) => listPasskeys({}, signal), []));
  const ending = useEnding(passkeys);
  const canMake = whyNoPasskeys() === undefined;
  return (
    <SettingsPage title={words.title} lead={canMake ? words.lead : words.leadWithout}>
      <PasswordForm passkeys={ending}>
        <EndingPasskeys {...ending} />
      </PasswordForm>
      <PasskeysEntry of={passkeys} canMake={canMake} />
    </SettingsPage>
  );
}

/** Passkeys created elsewhere can be removed even in a browser that cannot create one. */
function PasskeysEntry({ of, canMake }: { of: Fetched<Passkey[]>; canMake: boolean }) {
  const { signIn: words } = useWords();
  if (!canMake && (of.value?.length ?? 0) === 0) return <NoPasskeys label={words.passkeys} />;
  return (
    <Entry label={words.passkeys}>
      <Loaded of={of}>{(all) => <Passkeys all={all} of={of} />}</Loaded>
    </Entry>
  );
}

function Passkeys({ all, of: { reload, change } }: { all: readonly Passkey[]; of: Fetched<Passkey[]> }) {
  const { signIn: words } = useWords();
  const [leaving, setLeaving] = useState<Passkey>();
  const isFull = all.length >= limits.passkeys_max;
  async function remove({ id }: Passkey) {
    await untilGone(deletePasskey({ params: { id } }));
    change((before) => before.filter((each) => each.id !== id));
  }
  return (
    <div tabIndex={-1} className={styles.passkeys}>
      {all.length === 0 && <p className={styles.none}>{words.none}</p>}
      <ul>
        {all.map((passkey) => (
          <Row key={passkey.id} passkey={passkey} onRemove={() => setLeaving(passkey)} />
        ))}
      </ul>
      <AddPasskey onMade={reload} disabledBecause={isFull ? words.full(limits.passkeys_max) : undefined} />
      {leaving && (
        <Confirm
          title={words.removeTitle(leaving.name)}
          button={words.removeAct}
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{words.removeLead}</p>
        </Confirm>
      )}
    </div>
  );
}

function Row({ passkey, onRemove }: { passkey: Passkey; onRemove(): void }) {
  const { signIn: words } = useWords();
  const { name, backed_up } = passkey;
  const told = [...useUses(passkey), ...(backed_up ? [words.backedUp] : [])];
  return (
    <li className={styles.row}>
      <Icon of={KeyRound} />
      <div>
        <b>{name}</b>
        <p>{told.join(" · ")}</p>
      </div>
      <Button isSmall aria-label={words.removeNamed(name)} onClick={onRemove}>
        {words.remove}
      </Button>
    </li>
  );
}
