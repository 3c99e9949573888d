// The composer, or a note on who can grant the right to write.
import { Lock } from "lucide-react";
import { memo } from "react";
import { holds, permission } from "../../../../protocol/permissions.ts";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { later } from "../../../../web/ui/loading/later.tsx";
import { filled } from "../../../../web/ui/loading/slots.ts";
import { useOfServer } from "../../../../web/ui/session/house.tsx";
import { useViewedAs } from "../../../../web/ui/session/viewed.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { isSameChannel } from "../../../channels/view/same-channel.ts";
import { TypingLine } from "../../../typing/view/typing-line.tsx";
import { aroundWriter } from "../slots.ts";
import styles from "./composer.module.css";
import { Writer } from "./writer.tsx";

const ViewedFoot = later(async () => (await import("./viewed-foot.tsx")).ViewedFoot);
const LeftBehind = later(async () => (await import("../drafting/left-behind.tsx")).LeftBehind);

export const Composer = memo(function Composer({ channel }: { channel: OwnChannel }) {
  const isViewed = useViewedAs(channel.id) !== undefined;
  return (
    <div className={styles.foot} data-region="composer">
      {isViewed ? (
        <ViewedFoot channel={channel} />
      ) : channel.server_id === null ? (
        filled(aroundWriter, { channel, children: <Writer channel={channel} /> })
      ) : holds({ bits: channel.permissions }, permission.SEND_MESSAGES) ? (
        <Writer channel={channel} />
      ) : (
        <NoRight channel={channel} />
      )}
    </div>
  );
}, isSameChannel);

/** The most people named in one sentence. */
const namedMost = 3;

function NoRight({ channel }: { channel: OwnChannel }) {
  const { composer: words } = useWords();
  const roles = useOfServer(channel.server_id, (server) => server.roles) ?? [];
  const giving = roles.filter(
    ({ permissions, is_default }) =>
      !is_default && (permissions & (permission.MANAGE_SERVER | permission.ADMINISTRATOR)) !== 0,
  );
  return (
    <>
      <p className={styles.noRight}>
        <Icon of={Lock} size={16} />
        <span>
          {words.noRight(channel.name)} {words.whoGives(giving.slice(0, namedMost).map(({ name }) => name))}
        </span>
      </p>
      <LeftBehind channelId={channel.id} isInRoom />
      <div className={styles.below}>
        <TypingLine channel={channel} />
      </div>
    </>
  );
}
