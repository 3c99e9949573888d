// The bar of a call: which room, how the connection is, and the buttons while the room itself is not open.
import { Signal, SignalZero } from "lucide-react";
import { Link, useLocation } from "wouter";
import { classNames } from "../../../web/ui/class-names.ts";
import { Icon } from "../../../web/ui/icon.tsx";
import { paths } from "../../../web/ui/paths.ts";
import { useWords } from "../../../web/ui/words.ts";
import styles from "./call-bar.module.css";
import type { CallView } from "./call-state.ts";
import { Controls } from "./controls.tsx";
import { TroubleLine } from "./trouble.tsx";

export default function Bar({ call }: { call: CallView }) {
  const { voice: words } = useWords();
  const [path] = useLocation();
  const { channel, is } = call;
  const address = paths.channel(channel.server_id, channel.id);
  const isOpen = path === address;
  const said = {
    joining: words.joining,
    joined: words.connected,
    reconnecting: words.reconnecting,
    over: words.over,
  };
  const isWell = is === "joined";
  return (
    <section aria-label={words.inRoom(channel.name)} className={styles.bar}>
      <div className={styles.top}>
        <span className={classNames(isWell ? styles.well : styles.ill)}>
          <Icon of={isWell ? Signal : SignalZero} size={16} />
        </span>
        <div className={styles.where}>
          <Link href={address} className={classNames(isWell && styles.well)}>
            {channel.name}
          </Link>
          <span>{said[is]}</span>
        </div>
      </div>
      {!isOpen && <TroubleLine call={call} />}
      {!isOpen && is !== "over" && <Controls call={call} />}
    </section>
  );
}
