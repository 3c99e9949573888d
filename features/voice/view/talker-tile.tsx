// A person in a room: picture, name, state as text and icon, and the reader's volume for them.
import { AudioLines, HeadphoneOff, Mic, MicOff, Volume1 } from "lucide-react";
import { useRef, useState } from "react";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Slider } from "../../../web/ui/controls/slider.tsx";
import { Popover } from "../../../web/ui/overlays/popover.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { currentLanguage, useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { usePersonIn } from "../../members/view/members.ts";
import { keepVolume, type Talker, useCall, volumeOf } from "./call-state.ts";
import { currentCall } from "./calling.ts";
import styles from "./talker-tile.module.css";

interface Props {
  talker: Talker;
  /** The room that they are in. */
  channel: OwnChannel;
  isDeafened: boolean;
  /** True if there is room for a large picture: nobody shares a screen. */
  isLarge?: boolean;
}

export function TalkerTile({ talker, channel, isDeafened, isLarge = false }: Props) {
  const { voice: words } = useWords();
  const { id, isSpeaking, isMuted } = talker;
  const user = usePersonIn(channel, id);
  const isMe = useCopy((copy) => copy.user.id === id);
  const isReconnecting = useCall(({ call }) => call?.is === "reconnecting");
  const name = user?.display_name ?? talker.name;
  const [icon, said] = isSpeaking
    ? [AudioLines, words.speaking]
    : isDeafened
      ? [HeadphoneOff, words.deafened]
      : isMuted
        ? [MicOff, words.muted]
        : [Mic, words.listening];
  return (
    <li
      className={classNames(
        styles.talker,
        isLarge && styles.large,
        isSpeaking && styles.speaking,
        isReconnecting && styles.again,
      )}
    >
      <span className={styles.face}>
        <Face id={id} name={name} picture={user?.avatar} size={isLarge ? 88 : 40} />
      </span>
      <div className={styles.text}>
        <b>{name}</b>
        <span>
          {isMe && !isSpeaking ? `${words.you}, ${said.toLocaleLowerCase(currentLanguage())}` : said}
        </span>
      </div>
      <span className={classNames(styles.mark, isMe && isMuted && styles.mine)}>
        <Icon of={icon} size={16} />
      </span>
      {!isMe && <Volume id={id} name={name} />}
    </li>
  );
}

/** Shown only in the call: outside nobody is heard. */
function Volume({ id, name }: { id: string; name: string }) {
  const { voice: words } = useWords();
  const isInCall = useCall(({ call }) => call?.talkers.some((talker) => talker.id === id) ?? false);
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [volume, setVolume] = useState(() => volumeOf(id));
  if (!isInCall) return null;
  const label = words.volumeOf(name);
  return (
    <>
      <IconButton
        ref={anchor}
        label={label}
        icon={Volume1}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Popover label={label} anchor={anchor} placement="top end" onClose={() => setOpen(false)}>
          <div className={styles.volume}>
            <Slider
              label={label}
              value={volume}
              min={0}
              max={1}
              step={0.05}
              said={words.percent(volume)}
              onChange={(next) => {
                setVolume(next);
                keepVolume(id, next);
                currentCall()?.setVolume(id, next);
              }}
            />
          </div>
        </Popover>
      )}
    </>
  );
}
