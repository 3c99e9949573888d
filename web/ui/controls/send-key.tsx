// The setting for the key that sends a message: Enter, or Ctrl+Enter for people who write several lines.

import { useKept } from "../browser/kept.ts";
import { byCtrlEnter, sendKey } from "../keys/enter-key.ts";
import { useWords } from "../words/words.ts";
import { Switch } from "./switch.tsx";

const byEnter = "enter";

export function SendKey() {
  const { composer: words } = useWords();
  const [value, setValue] = useKept(sendKey, byEnter);
  return (
    <Switch
      label={words.ctrlEnterSends}
      hint={words.ctrlEnterSendsHint}
      isOn={value === byCtrlEnter}
      onChange={(isOn) => setValue(isOn ? byCtrlEnter : byEnter)}
    />
  );
}
