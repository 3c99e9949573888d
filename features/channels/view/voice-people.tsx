// The people in a voice room, below its row, marked when they speak, or when their microphone or sound is off.
import { AudioLines, HeadphoneOff, MicOff } from "lucide-react";
import type { OwnServer } from "../../../client/servers.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { useIsSpeaking } from "../../../web/ui/browser/speaking.ts";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { useOfServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { useMember } from "../../members/view/members.ts";
import { personButton } from "../../members/view/open-profile.tsx";
import type { OwnChannel } from "../state.ts";
import styles from "./voice-people.module.css";

export function VoicePeople({ channel }: { channel: OwnChannel }) {
  const { channels: words } = useWords();
  const voice = useOfServer(channel.server_id, (server) => server.voice);
  const states = voice?.filter(({ channel_id }) => channel_id === channel.id) ?? [];
  return (
    <ul className={styles.people} aria-label={words.inRoom(channel.name)}>
      {states.map((state) => (
        <Occupant key={state.user_id} serverId={channel.server_id} state={state} />
      ))}
    </ul>
  );
}

function Occupant({ serverId, state }: { serverId: string | null; state: OwnServer["voice"][number] }) {
  const { channels: words } = useWords();
  const user = useMember(serverId, state.user_id)?.user;
  const name = user?.display_name ?? "";
  const isSpeaking = useIsSpeaking(state.user_id);
  return (
    <li>
      <button
        {...personButton({ serverId, userId: state.user_id }, name)}
        className={classNames(styles.person, isSpeaking && styles.speaking)}
      >
        <Face id={state.user_id} name={name} picture={user?.avatar} size={20} />
        <span className={styles.name}>{name}</span>
        {isSpeaking && <Mark icon={AudioLines} says={words.speaking} />}
        {state.deafened && <Mark icon={HeadphoneOff} says={words.deafened} />}
        {state.muted && <Mark icon={MicOff} says={words.micOff} />}
      </button>
    </li>
  );
}

function Mark({ icon, says }: { icon: typeof MicOff; says: string }) {
  return (
    <>
      <Icon of={icon} size={14} />
      <span className="visually-hidden">, {says}</span>
    </>
  );
}
