// Which key sends what is written: Enter, or for those who write several lines Ctrl and Enter.
import { kept, useKept } from "./kept.ts";
import { Switch } from "./switch.tsx";
import { useWords } from "./words.ts";

const key = "composer.send";
const byEnter = "enter";
const byCtrlEnter = "ctrl+enter";

/** Whether Enter alone breaks the line. */
export function enterBreaksLine(): boolean {
  return kept(key) === byCtrlEnter;
}

export function SendKey() {
  const { composer: words } = useWords();
  const [value, setValue] = useKept(key, byEnter);
  return (
    <Switch
      label={words.ctrlEnterSends}
      hint={words.ctrlEnterSendsHint}
      isOn={value === byCtrlEnter}
      onChange={(isOn) => setValue(isOn ? byCtrlEnter : byEnter)}
    />
  );
}
