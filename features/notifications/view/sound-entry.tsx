// Settings: the sound of what one is told of, on this device.
import { Button } from "../../../web/ui/button.tsx";
import { Entry } from "../../../web/ui/entry.tsx";
import { useKept } from "../../../web/ui/kept.ts";
import { Switch } from "../../../web/ui/switch.tsx";
import { useWords } from "../../../web/ui/words.ts";
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
