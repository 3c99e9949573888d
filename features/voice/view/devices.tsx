// Settings of calls: microphone, loudspeaker, and the push-to-talk key. They are stored in this browser.
import { useEffect, useState } from "react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Switch } from "../../../web/ui/controls/switch.tsx";
import { Choice } from "../../../web/ui/controls/text-field.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { choose, useChoices } from "./call-state.ts";
import { currentCall } from "./calling.ts";
import styles from "./devices.module.css";
import { hasMicrophones } from "./devices-here.ts";

/** Not every browser can select the audio output. */
const hasSpeakers = "setSinkId" in HTMLMediaElement.prototype;

export function Devices() {
  const { voice: words } = useWords();
  const { microphone, speaker, isPushToTalk } = useChoices();
  return (
    <div className={styles.devices}>
      <Device
        kind="audioinput"
        label={words.microphone}
        value={microphone}
        onChoose={(id) => {
          choose({ microphone: id });
          void currentCall()?.useDevice("audioinput", id);
        }}
      />
      {hasSpeakers && (
        <Device
          kind="audiooutput"
          label={words.speaker}
          value={speaker}
          onChoose={(id) => {
            choose({ speaker: id });
            void currentCall()?.useDevice("audiooutput", id);
          }}
        />
      )}
      <Switch
        label={words.pushToTalk}
        hint={words.pushToTalkHint}
        isOn={isPushToTalk}
        onChange={(isOn) => {
          choose({ isPushToTalk: isOn });
          void currentCall()?.openMicrophone();
        }}
      />
      {isPushToTalk && <TalkKey />}
    </div>
  );
}

interface DeviceProps {
  kind: "audioinput" | "audiooutput";
  label: string;
  value: string;
  onChoose(id: string): void;
}

function Device({ kind, label, value, onChoose }: DeviceProps) {
  const { voice: words } = useWords();
  const devices = useDevices(kind);
  const options = [
    { value: "default", label: words.asTheSystem },
    ...devices.map(({ deviceId, label }, i) => ({ value: deviceId, label: label || words.unnamed(i + 1) })),
  ];
  const known = options.some((option) => option.value === value) ? value : "default";
  return <Choice label={label} value={known} options={options} onChange={onChoose} />;
}

/** Returns the devices that are plugged in now. */
function useDevices(kind: DeviceProps["kind"]): readonly MediaDeviceInfo[] {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    if (!hasMicrophones()) return;
    const { mediaDevices } = navigator;
    const look = () =>
      mediaDevices.enumerateDevices().then(
        (all) =>
          setDevices(all.filter((each) => each.kind === kind && !["", "default"].includes(each.deviceId))),
        () => {},
      );
    void look();
    mediaDevices.addEventListener("devicechange", look);
    return () => mediaDevices.removeEventListener("devicechange", look);
  }, [kind]);
  return devices;
}

function TalkKey() {
  const { voice: words } = useWords();
  const { talkKey } = useChoices();
  const [isAsking, setAsking] = useState(false);
  return (
    <Button
      isSmall
      aria-live="polite"
      onClick={() => setAsking(true)}
      onBlur={() => setAsking(false)}
      onKeyDown={(event) => {
        if (!isAsking || ["Escape", "Tab"].includes(event.code)) return setAsking(false);
        event.preventDefault();
        // The Enter that pressed this button repeats while it is held; as the talk key it would be missing in fields.
        if (event.repeat || ["Enter", "NumpadEnter"].includes(event.code)) return;
        choose({ talkKey: event.code });
        setAsking(false);
      }}
    >
      {isAsking ? words.pressKey : words.talkKey(nameOf(talkKey))}
    </Button>
  );
}

/** Returns "V" for `KeyV`, "5" for `Digit5`. */
function nameOf(code: string): string {
  return code.replace(/^(Key|Digit)(?=.$)/, "");
}
