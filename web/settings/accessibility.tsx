// Settings: use of the page with a screen reader, with the keyboard only, or with reduced motion.

import { type Announced, announcedKey, announcedLevels } from "../ui/browser/announce.ts";
import { useKept } from "../ui/browser/kept.ts";
import { Entry } from "../ui/controls/entry.tsx";
import { RadioGroup } from "../ui/controls/radio-group.tsx";
import { Switch } from "../ui/controls/switch.tsx";
import { useLetters } from "../ui/keys/key-choices.ts";
import { SettingsPage } from "../ui/settings/settings-frame.tsx";
import { changeLook, useLook } from "../ui/words/look.ts";
import { useWords } from "../ui/words/words.ts";

export function AccessibilityPage() {
  const { accessibility: words } = useWords().settings;
  const { motion, reading } = useLook();
  const [announced, setAnnounced] = useKept<Announced>(announcedKey, "all");
  const [hasSingleKeys, setSingleKeys] = useLetters();
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      <Entry label={words.movement}>
        <Switch
          label={words.lessMotion}
          hint={words.lessMotionHint}
          isOn={motion === "reduced"}
          onChange={(isOn) => changeLook({ motion: isOn ? "reduced" : undefined })}
        />
      </Entry>
      <Entry label={words.reading}>
        <Switch
          label={words.reader}
          hint={words.readerHint}
          isOn={reading === "pages"}
          onChange={(isOn) => changeLook({ reading: isOn ? "pages" : undefined })}
        />
      </Entry>
      <Entry label={words.announcements}>
        <RadioGroup
          as="list"
          label={words.announcements}
          value={announced}
          onChange={setAnnounced}
          options={announcedLevels.map((value) => ({ value, ...words.announced[value] }))}
        />
      </Entry>
      <Entry label={words.keyboard}>
        <Switch
          label={words.singleKeys}
          hint={words.singleKeysHint}
          isOn={hasSingleKeys}
          onChange={setSingleKeys}
        />
      </Entry>
    </SettingsPage>
  );
}
