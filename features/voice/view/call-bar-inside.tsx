// The bar of a call: its room, the connection, and the buttons while the room itself is not open.
import { Signal, SignalZero } from "lucide-react";
import { useLocation } from "wouter";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useChannel } from "../../../web/ui/session/house.tsx";
import { useViewedAs } from "../../../web/ui/session/viewed.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./call-bar.module.css";
import type { CallView } from "./call-state.ts";
import { Controls } from "./controls.tsx";
import { TroubleLine } from "./trouble.tsx";

export default function Bar({ call }: { call: CallView }) {
  const { voice: words } = useWords();
  const [path] = useLocation();
  const { channel, is } = call;
  const address = paths.channel(channel);
  const isThere = useChannel(channel.id) !== undefined;
  // A room that is looked at as a role has no buttons of the call.
  const isOpen = useViewedAs(channel.id) === undefined && isThere && isRoom(path, address);
  const isWell = is === "joined";
  return (
    <section aria-label={words.inRoom(channel.name)} className={styles.bar}>
      <div className={styles.top}>
        <span className={classNames(isWell ? styles.well : styles.ill)}>
          <Icon of={isWell ? Signal : SignalZero} size={16} />
        </span>
        <div className={styles.where}>
          {isThere ? (
            <Link href={address} className={classNames(isWell && styles.well)}>
              {channel.name}
            </Link>
          ) : (
            <b>{channel.name}</b>
          )}
          <span>{words.stateOf[is]}</span>
        </div>
      </div>
      {!isOpen && <TroubleLine call={call} />}
      {!isOpen && is !== "over" && <Controls call={call} />}
    </section>
  );
}

/** True at the address of a room, and at that of a message in it. */
function isRoom(path: string, address: string): boolean {
  return path === address || path.startsWith(`${address}/messages/`);
}
