// The page of the settings that the instance's admins change while it runs: its name, and who may register.
import { limits } from "../../../protocol/limits.ts";
import { Entry, Field } from "../../../web/ui/controls/entry.tsx";
import { RadioGroup } from "../../../web/ui/controls/radio-group.tsx";
import { type Fetched, Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { useDraft } from "../../../web/ui/settings/draft.ts";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { getSettings, setSettings } from "../calls.ts";
import { askInstance, forgetInstance } from "./instance.ts";
import styles from "./settings-page.module.css";
import { useTitle } from "./title.ts";

const ask = (signal: AbortSignal) => getSettings({}, signal);

type Settings = Awaited<ReturnType<typeof getSettings>>;

export function SettingsOfInstance() {
  const { instanceSettings: words } = useWords();
  useTitle(words.title);
  const asked = useFetched(ask);
  if (asked.value) return <Form settings={asked.value} asked={asked} />;
  return (
    <SettingsPage title={words.title}>
      <Entry>
        <Loaded of={asked}>{() => null}</Loaded>
      </Entry>
    </SettingsPage>
  );
}

function Form({ settings, asked }: { settings: Settings; asked: Fetched<Settings> }) {
  const { instanceSettings: words } = useWords();
  const { name, registration, fixed } = settings;
  const draft = useDraft({ name, registration }, async (body) => {
    const after = await setSettings({ body });
    asked.change(() => after);
    forgetInstance();
    await askInstance().catch(() => {});
  });
  const isFixed = (setting: "name" | "registration") => fixed.includes(setting);
  return (
    <SettingsPage title={words.title} lead={words.lead} draft={draft}>
      {isFixed("name") ? (
        <Fixed label={words.name} value={name} />
      ) : (
        <Field
          label={words.name}
          hint={words.nameHint}
          value={draft.values.name}
          maxLength={limits.instance_name_max}
          isChanged={draft.changed.has("name")}
          problem={draft.problem("name")}
          onChange={(event) => draft.set("name", event.target.value)}
        />
      )}
      {isFixed("registration") ? (
        <Fixed label={words.registration} value={words.registrations[registration].label} />
      ) : (
        <Entry
          label={<span className={styles.flush}>{words.registration}</span>}
          isChanged={draft.changed.has("registration")}
        >
          <RadioGroup
            as="list"
            label={words.registration}
            value={draft.values.registration}
            options={(["open", "invite", "closed"] as const).map((value) => ({
              value,
              ...words.registrations[value],
            }))}
            onChange={(value) => draft.set("registration", value)}
          />
        </Entry>
      )}
    </SettingsPage>
  );
}

/** A setting that the page cannot change, and who can. */
function Fixed({ label, value }: { label: string; value: string }) {
  const { instanceSettings: words } = useWords();
  return (
    <Entry label={label}>
      <p className={styles.fixed}>{value}</p>
      <p className={styles.hint}>{words.fixed}</p>
    </Entry>
  );
}
