// On a phone: the current call in the header of every other room, with a link to it.
import { Signal, SignalZero } from "lucide-react";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { useFrameWidth } from "../../../web/ui/browser/frame-width.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useChannel } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";
import styles from "./call-chip.module.css";
import { type CallView, useCall } from "./call-state.ts";

/** On wider screens the bar of the call is visible. */
export function CallChip({ channel }: { channel: OwnChannel }) {
  const isNarrow = useFrameWidth() === "narrow";
  const call = useCall((state) => state.call);
  if (!isNarrow || !call || call.channel.id === channel.id) return null;
  return <Chip call={call} />;
}

function Chip({ call: { channel, is } }: { call: CallView }) {
  const { voice: words } = useWords();
  const isThere = useChannel(channel.id) !== undefined;
  if (!isThere) return null;
  return (
    <Link
      href={paths.channel(channel)}
      state={{ isFromHere: true }}
      aria-label={is === "joined" ? words.youAreIn(channel.name) : `${channel.name}: ${words.stateOf[is]}`}
      className={classNames(styles.chip, is === "joined" && styles.well)}
    >
      <Icon of={is === "joined" ? Signal : SignalZero} />
    </Link>
  );
}
