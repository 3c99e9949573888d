// Settings: the language of the page, on this device, applied immediately.
import { Entry } from "../ui/controls/entry.tsx";
import { RadioGroup } from "../ui/controls/radio-group.tsx";
import { SettingsPage } from "../ui/settings/settings-frame.tsx";
import { changeLook, useLook } from "../ui/words/look.ts";
import { type Language, languageNames, preferredLanguage, useWords } from "../ui/words/words.ts";

export function LanguagePage() {
  const { language: words } = useWords().settings;
  const { language } = useLook();
  const ofSystem = languageNames[preferredLanguage(undefined)];
  // Each language has its own name for itself, for readers who know no other one.
  const own = Object.entries(languageNames).map(([value, label]) => ({ value: value as Language, label }));
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      <Entry label={words.title}>
        <RadioGroup<Language | "system">
          as="list"
          label={words.title}
          value={language ?? "system"}
          onChange={(chosen) => changeLook({ language: chosen === "system" ? undefined : chosen })}
          options={[{ value: "system", label: words.system(ofSystem) }, ...own]}
        />
      </Entry>
    </SettingsPage>
  );
}
