// The button to hold for push to talk without a keyboard.
import { Mic } from "lucide-react";
import { useEffect, useState } from "react";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { currentCall } from "./calling.ts";
import styles from "./controls.module.css";

export function TalkControl() {
  const { voice: words } = useWords();
  const [isHeld, setHeld] = useState(false);
  const letGo = () => setHeld(false);
  // The button goes while the call reconnects, and with the right to speak: no release would be heard afterwards. A
  // button that is not held releases nothing: the key may be held.
  useEffect(() => {
    if (!isHeld) return;
    void currentCall()?.hold(true);
    return () => void currentCall()?.hold(false);
  }, [isHeld]);
  return (
    <button
      type="button"
      aria-pressed={isHeld}
      className={classNames(styles.control, styles.talk, isHeld && styles.live)}
      onPointerDown={(event) => {
        // A finger that slides off the button still holds it.
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld(true);
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onKeyDown={({ key, repeat }) => {
        if ([" ", "Enter"].includes(key) && !repeat) setHeld(true);
      }}
      onKeyUp={letGo}
      onBlur={letGo}
      onContextMenu={(event) => event.preventDefault()}
    >
      <span className={styles.picture}>
        <Icon of={Mic} />
      </span>
      <span className={styles.label}>{words.talk}</span>
    </button>
  );
}
