// The head of a room: the way back on a phone, the name, and the buttons.
import { ArrowLeft, Ellipsis, Hash, Users, Volume2 } from "lucide-react";
import { memo, type ReactNode } from "react";
import { useLocation } from "wouter";
import { back, useMembersPanel } from "../../../web/ui/browser/panel.ts";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { PageTitle } from "../../../web/ui/controls/page-title.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { MenuButton } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useOfServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../state.ts";
import styles from "./room-head.module.css";
import { isSameChannel } from "./same-channel.ts";
import { channelMenu, inRoomHead } from "./slots.ts";

interface Props {
  channel: OwnChannel;
  children?: ReactNode;
}

export const RoomHead = memo(function RoomHead({ channel, children }: Props) {
  const { channels: words } = useWords();
  const panel = useMembersPanel();
  const serverName = useOfServer(channel.server_id, ({ name }) => name);
  const [, navigate] = useLocation();
  const toChannels = () => navigate(paths.server(channel.server_id), { replace: true });
  return (
    <header className={styles.head}>
      {serverName !== undefined && <PageTitle>{serverName}</PageTitle>}
      <span className={styles.back}>
        <IconButton label={words.back} icon={ArrowLeft} onClick={() => back(toChannels)} />
      </span>
      <h2>
        <Icon of={channel.type === "voice" ? Volume2 : Hash} />
        <span>{channel.name}</span>
      </h2>
      <p className={styles.topic} title={channel.topic ?? undefined}>
        {channel.topic}
      </p>
      {children}
      <MenuButton label={words.menu} icon={Ellipsis} items={menuOf(channelMenu, { channel })} />
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
}, isSame);

function isSame(one: Props, other: Props): boolean {
  return one.children === other.children && isSameChannel(one, other);
}
