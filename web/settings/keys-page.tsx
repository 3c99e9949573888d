// Settings: the keyboard shortcuts, on this device.
import { KeyList } from "../shell/key-sheet.tsx";
import { Entry } from "../ui/controls/entry.tsx";
import { SettingsPage } from "../ui/settings/settings-frame.tsx";
import { useWords } from "../ui/words/words.ts";

export function KeysPage() {
  const { keys: words, accessibility } = useWords().settings;
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      <Entry label={accessibility.keyboard}>
        <KeyList />
      </Entry>
    </SettingsPage>
  );
}
