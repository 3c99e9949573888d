// The button beside a voice channel in the list, which joins the room and has its name.
import { Phone } from "lucide-react";
import { useLocation } from "wouter";
import { holds, permission } from "../../../protocol/permissions.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { doneLater } from "../../../web/ui/loading/later.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { useInstance } from "../../instance/view/instance.ts";
import { useCall } from "./call-state.ts";
import styles from "./join-button.module.css";

const join = doneLater(async () => (await import("./calling.ts")).join);

interface Props {
  channel: OwnChannel;
}

/** Few of the many channels in a list are voice rooms; the others subscribe to nothing. */
export function JoinButton({ channel }: Props) {
  return channel.type === "voice" ? <JoinRoom channel={channel} /> : null;
}

function JoinRoom({ channel }: Props) {
  const { voice: words } = useWords();
  const { chat } = useHouse();
  const [, navigate] = useLocation();
  const mayJoin = useMayJoin(channel);
  const isIn = useCall(({ call }) => call?.channel.id === channel.id && call.is !== "over");
  if (!mayJoin || isIn) return null;
  return (
    <button
      type="button"
      className={styles.join}
      aria-label={channel.name}
      aria-description={words.join}
      title={words.join}
      onClick={() => {
        join(chat, channel);
        navigate(paths.channel(channel), { state: { isFromHere: true } });
      }}
    >
      <Icon of={Phone} size={16} />
    </button>
  );
}

/** Undefined until it is known whether the instance has voice. */
export function useMayJoin({ permissions: bits }: OwnChannel): boolean | undefined {
  const hasVoice = useInstance()?.features.voice;
  return hasVoice && holds({ bits }, permission.CONNECT_VOICE);
}
