// On a phone, in the head of every other room: the call that one is in, and the way to it.
import { Signal, SignalZero } from "lucide-react";
import { classNames } from "../../../web/ui/class-names.ts";
import { useFrameWidth } from "../../../web/ui/frame-width.ts";
import { useChannel } from "../../../web/ui/house.tsx";
import { Icon } from "../../../web/ui/icon.tsx";
import { Link } from "../../../web/ui/link.tsx";
import { paths } from "../../../web/ui/paths.ts";
import { useWords } from "../../../web/ui/words.ts";
import type { Channel } from "../../channels/contract.ts";
import styles from "./call-chip.module.css";
import { type CallView, useCall } from "./call-state.ts";

/** Elsewhere the bar of the call is in sight. */
export function CallChip({ channel }: { channel: Channel }) {
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
      href={paths.channel(channel.server_id, channel.id)}
      state={{ isFromHere: true }}
      aria-label={is === "joined" ? words.youAreIn(channel.name) : `${channel.name}: ${words.stateOf[is]}`}
      className={classNames(styles.chip, is === "joined" && styles.well)}
    >
      <Icon of={is === "joined" ? Signal : SignalZero} />
    </Link>
  );
}
