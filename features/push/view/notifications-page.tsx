// Settings: notification levels, and where notifications are shown.
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { LevelsList } from "../../notifications/view/levels-list.tsx";
import { SoundEntry } from "../../notifications/view/sound-entry.tsx";
import { ThisBrowser } from "./this-browser.tsx";
import { WhenEntry } from "./when-entry.tsx";

export function NotificationsPage() {
  const { notifications: words } = useWords();
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      <ThisBrowser />
      <WhenEntry />
      <SoundEntry />
      <LevelsList />
    </SettingsPage>
  );
}
