// The line in place of the composer while the reader looks at a channel as a role: nothing is sent then.
import { Lock } from "lucide-react";
import { holds, permission } from "../../../../protocol/permissions.ts";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { useOfServer } from "../../../../web/ui/session/house.tsx";
import { useViewedAs } from "../../../../web/ui/session/viewed.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { signed } from "../../../channels/view/signed.ts";
import styles from "./composer.module.css";

export function ViewedFoot({ channel }: { channel: OwnChannel }) {
  const { channels: words } = useWords();
  const roleId = useViewedAs(channel.id);
  const roles = useOfServer(channel.server_id, (server) => server.roles);
  const name = roles?.find(({ id }) => id === roleId)?.name ?? "";
  const may = (bit: number) => holds({ bits: channel.permissions }, bit);
  const says = may(permission.SEND_MESSAGES)
    ? words.roleWrites(name)
    : may(permission.VIEW_CHANNEL)
      ? words.roleReads(name, signed(channel))
      : words.roleSeesNothing(name, signed(channel));
  return (
    <>
      <p className={styles.noRight}>
        <Icon of={Lock} size={16} />
        <span>{says}</span>
      </p>
      <div className={styles.below} />
    </>
  );
}
