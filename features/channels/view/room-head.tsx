// The head of a room: the way back on a phone, its name, and the buttons of what stands beside it.
import { ArrowLeft, Ellipsis, Hash, Users, Volume2 } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { IconButton } from "../../../web/ui/button.tsx";
import { Icon } from "../../../web/ui/icon.tsx";
import { MenuButton } from "../../../web/ui/menu.tsx";
import { back, useMembersPanel } from "../../../web/ui/panel.ts";
import { filled } from "../../../web/ui/slots.ts";
import { useWords } from "../../../web/ui/words.ts";
import type { Channel } from "../contract.ts";
import { useChannelItems } from "./channel-items.ts";
import styles from "./room-head.module.css";
import { inRoomHead } from "./slots.ts";

export function RoomHead({ channel, children }: { channel: Channel; children?: ReactNode }) {
  const { channels: words } = useWords();
  const panel = useMembersPanel();
  const [, navigate] = useLocation();
  const items = useChannelItems(channel);
  const toChannels = () => navigate(`/servers/${channel.server_id}`, { replace: true });
  return (
    <header className={styles.head}>
      <span className={styles.back}>
        <IconButton label={words.back} icon={ArrowLeft} onClick={() => back(toChannels)} />
      </span>
      <h2>
        <Icon of={channel.type === "voice" ? Volume2 : Hash} />
        <span>{channel.name}</span>
      </h2>
      {children}
      {items.length > 0 && <MenuButton label={words.menu} icon={Ellipsis} items={items} />}
      {filled(inRoomHead, { channel })}
      <IconButton
        label={words.members}
        icon={Users}
        data-toggles="members"
        isPressed={panel.isShown}
        onClick={() => panel.toggle()}
      />
    </header>
  );
}
