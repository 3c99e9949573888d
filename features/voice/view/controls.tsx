// The buttons of a call: the toolbar "Voice", in the room or, elsewhere, above the user's own panel.
import {
  HeadphoneOff,
  Headphones,
  type LucideIcon,
  Mic,
  MicOff,
  PhoneOff,
  ScreenShare,
  ScreenShareOff,
  Settings2,
} from "lucide-react";
import { useRef, useState } from "react";
import { announce } from "../../../web/ui/browser/announce.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Popover } from "../../../web/ui/overlays/popover.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { type CallView, useChoices } from "./call-state.ts";
import { currentCall, leave } from "./calling.ts";
import styles from "./controls.module.css";
import { Devices } from "./devices.tsx";
import { canShareScreen, hasMicrophones } from "./devices-here.ts";
import { TalkControl } from "./talk-control.tsx";

interface Props {
  call: CallView;
  /** Shows labels next to the icons; otherwise they are for screen readers only. */
  hasLabels?: boolean;
}

export function Controls({ call, hasLabels = false }: Props) {
  const { voice: words } = useWords();
  const { isMuted, isDeafened, isSharing, isListener, mayShare } = call;
  const { isPushToTalk } = useChoices();
  const isJoined = call.is === "joined";
  const waits = isJoined ? undefined : words.stateOf[call.is];
  const canTalk = hasMicrophones();
  return (
    <div role="toolbar" aria-label={words.voice} className={hasLabels ? styles.wide : styles.bar}>
      {canTalk && (
        <Control
          label={words.mute}
          icon={isMuted || isListener ? MicOff : Mic}
          isPressed={isMuted || isListener}
          isOff={isMuted}
          disabledBecause={isListener && isJoined ? words.mayNotSpeak : waits}
          onPress={() => void currentCall()?.setMuted(!isMuted)}
        />
      )}
      {canTalk && isPushToTalk && isJoined && !isListener && <TalkControl />}
      <Control
        label={words.deafen}
        icon={isDeafened ? HeadphoneOff : Headphones}
        isPressed={isDeafened}
        isOff={isDeafened}
        disabledBecause={waits}
        onPress={() => void currentCall()?.setDeafened(!isDeafened)}
      />
      {canShareScreen() && (
        <Control
          label={words.share}
          shown={words.shareShort}
          icon={isSharing ? ScreenShareOff : ScreenShare}
          isPressed={isSharing}
          isLive={isSharing}
          disabledBecause={waits ?? (mayShare ? undefined : words.mayNotShare)}
          onPress={() => void currentCall()?.setSharing(!isSharing)}
        />
      )}
      {canTalk && <DevicesControl />}
      <Control
        label={words.leave}
        icon={PhoneOff}
        isLeave
        onPress={() => {
          leave();
          announce(words.youLeft(call.channel.name));
        }}
      />
    </div>
  );
}

function DevicesControl() {
  const { voice: words } = useWords();
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Control
        ref={anchor}
        label={words.devices}
        icon={Settings2}
        isExpanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Popover label={words.devices} anchor={anchor} placement="top end" onClose={() => setOpen(false)}>
          <Devices />
        </Popover>
      )}
    </>
  );
}

interface ControlProps {
  label: string;
  /** Replaces a label that is too long to fit below the icon. */
  shown?: string;
  icon: LucideIcon;
  isPressed?: boolean;
  /** True if the user's own microphone is off. */
  isOff?: boolean;
  isLive?: boolean;
  isLeave?: boolean;
  /** True if the popup that it controls is open. */
  isExpanded?: boolean;
  disabledBecause?: string | undefined;
  ref?: React.RefObject<HTMLButtonElement | null>;
  onPress(): void;
}

function Control({ label, shown, icon, isExpanded, disabledBecause, onPress, ref, ...is }: ControlProps) {
  const isDisabled = disabledBecause !== undefined;
  return (
    <button
      ref={ref}
      type="button"
      aria-label={shown && label}
      aria-pressed={is.isPressed}
      aria-haspopup={isExpanded === undefined ? undefined : "dialog"}
      aria-expanded={isExpanded}
      aria-disabled={isDisabled || undefined}
      title={disabledBecause ?? label}
      className={classNames(
        styles.control,
        is.isOff && styles.off,
        is.isLive && styles.live,
        is.isLeave && styles.leave,
      )}
      onClick={() => isDisabled || onPress()}
    >
      <span className={styles.picture}>
        <Icon of={icon} />
      </span>
      <span className={styles.label}>{shown ?? label}</span>
    </button>
  );
}
