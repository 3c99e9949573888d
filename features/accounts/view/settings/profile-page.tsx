// Settings: the user's own profile, with a preview of the card that others see.
import { limits } from "../../../../protocol/limits.ts";
import { AreaField } from "../../../../web/ui/controls/area-field.tsx";
import { ColourChoice, firstColour } from "../../../../web/ui/controls/colour-choice.tsx";
import { Entry, Field } from "../../../../web/ui/controls/entry.tsx";
import { Switch } from "../../../../web/ui/controls/switch.tsx";
import { filled } from "../../../../web/ui/loading/slots.ts";
import { useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { type Draft, useDraft } from "../../../../web/ui/settings/draft.ts";
import { SettingsPage } from "../../../../web/ui/settings/settings-frame.tsx";
import { dateOf } from "../../../../web/ui/words/times.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import { updateMe } from "../../calls.ts";
import type { Me } from "../../contract.ts";
import { BadgeList } from "./badge-list.tsx";
import styles from "./profile.module.css";
import { ProfilePreview } from "./profile-preview.tsx";
import { profilePicture } from "./slots.ts";

type Profile = Pick<Me, "display_name" | "bio" | "accent_color" | "status_text">;

export function ProfilePage() {
  const { profile: words } = useWords();
  const { chat } = useHouse();
  const user = useCopy((copy) => copy.user);
  const { display_name, bio, accent_color, status_text } = user;
  const draft = useDraft<Profile>({ display_name, bio, accent_color, status_text }, async (changes) => {
    const now = await updateMe({ body: changes });
    chat.change((copy) => ({ ...copy, user: { ...copy.user, ...now } }));
  });
  return (
    <SettingsPage title={words.title} lead={words.lead} draft={draft}>
      {filled(profilePicture, { user })}
      <Names draft={draft} username={user.username} />
      <AreaField
        label={words.bio}
        hint={words.bioHint}
        max={limits.bio_max}
        value={draft.values.bio}
        onChange={(value) => draft.set("bio", value)}
        isChanged={draft.changed.has("bio")}
        problem={draft.problem("bio")}
      />
      <Colour draft={draft} />
      {user.badges.length > 0 && (
        <Entry label={words.badges}>
          <BadgeList badges={user.badges} />
          <p className={styles.hint}>{words.badgesHint}</p>
        </Entry>
      )}
      <Entry label={words.preview}>
        <ProfilePreview user={{ ...user, ...draft.values }} />
      </Entry>
      <Entry label={words.account}>
        <p className={styles.account}>{user.email}</p>
        <p className={styles.hint}>
          {words.emailHint} {words.since(dateOf(new Date(user.created_at)))}.
        </p>
        <p className={styles.hint}>{words.accountStays}</p>
      </Entry>
    </SettingsPage>
  );
}

function Names({ draft, username }: { draft: Draft<Profile>; username: string }) {
  const { profile: words } = useWords();
  return (
    <>
      <Field
        label={words.displayName}
        hint={words.displayNameHint(username)}
        value={draft.values.display_name}
        onChange={(event) => draft.set("display_name", event.target.value)}
        isChanged={draft.changed.has("display_name")}
        problem={draft.problem("display_name")}
        maxLength={limits.display_name_max}
        autoComplete="nickname"
      />
      <Field
        label={words.status}
        hint={words.statusHint}
        value={draft.values.status_text}
        onChange={(event) => draft.set("status_text", event.target.value)}
        isChanged={draft.changed.has("status_text")}
        problem={draft.problem("status_text")}
        maxLength={limits.status_text_max}
        autoComplete="off"
      />
    </>
  );
}

function Colour({ draft }: { draft: Draft<Profile> }) {
  const { profile: words } = useWords();
  const { accent_color: colour } = draft.values;
  return (
    <Entry
      label={words.colour}
      isChanged={draft.changed.has("accent_color")}
      isBad={draft.problem("accent_color") !== undefined}
    >
      <Switch
        label={words.ownColour}
        hint={words.ownColourHint}
        isOn={colour !== null}
        onChange={(isOn) => draft.set("accent_color", isOn ? firstColour : null)}
      />
      {colour !== null && (
        <ColourChoice
          label={words.colour}
          value={colour}
          onChange={(value) => draft.set("accent_color", value)}
        />
      )}
    </Entry>
  );
}
