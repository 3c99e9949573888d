// Which key sends what is written: Enter, or for those who write several lines Ctrl and Enter.
import { byCtrlEnter, sendKey } from "./enter-key.ts";
import { useKept } from "./kept.ts";
import { Switch } from "./switch.tsx";
import { useWords } from "./words.ts";

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
