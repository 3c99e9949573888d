// The line in place of a voice room's buttons while the reader looks at it as a role.
import { Lock } from "lucide-react";
import { holds, permission } from "../../../protocol/permissions.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { useOfServer } from "../../../web/ui/session/house.tsx";
import { useViewedAs } from "../../../web/ui/session/viewed.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";
import styles from "./role-says.module.css";

export function RoleSays({ channel }: { channel: OwnChannel }) {
  const { channels: words } = useWords();
  const roleId = useViewedAs(channel.id);
  const roles = useOfServer(channel.server_id, (server) => server.roles);
  const role = roles?.find(({ id }) => id === roleId)?.name ?? "";
  const may = (bit: number) => holds({ bits: channel.permissions }, bit);
  const says = !may(permission.VIEW_CHANNEL)
    ? words.roleSeesNothing(role, channel.name)
    : !may(permission.CONNECT_VOICE)
      ? words.roleStaysOut(role, channel.name)
      : !may(permission.SPEAK_VOICE)
        ? words.roleListens(role)
        : may(permission.SHARE_SCREEN)
          ? words.roleShares(role)
          : words.roleSpeaks(role);
  return (
    <div className={styles.line}>
      <Icon of={Lock} size={16} />
      <span>{says}</span>
    </div>
  );
}
