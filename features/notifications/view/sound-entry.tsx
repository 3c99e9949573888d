// Settings: the notification sound on this device.

import { useKept } from "../../../web/ui/browser/kept.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Switch } from "../../../web/ui/controls/switch.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { playSound, soundKey } from "./sound.ts";

export function SoundEntry() {
  const { notifications: words } = useWords();
  const [isOn, setOn] = useKept(soundKey, false);
  return (
    <Entry label={words.sound}>
      <Switch label={words.soundLabel} hint={words.soundHint} isOn={isOn} onChange={setOn} />
      <Button isSmall onClick={playSound}>
        {words.soundTry}
      </Button>
    </Entry>
  );
}
