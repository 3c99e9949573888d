// The room of a voice channel: its people, shared screens, and joining and leaving.
import { useEffect } from "react";
import type { VoiceState } from "../../../protocol/voice.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { shown } from "../../../web/ui/browser/quiet.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { later } from "../../../web/ui/loading/later.tsx";
import { useHouse, useOfServer } from "../../../web/ui/session/house.tsx";
import { useViewedAs } from "../../../web/ui/session/viewed.ts";
import { WayToHttps } from "../../../web/ui/session/way.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { RoomHead } from "../../channels/view/room-head.tsx";
import { ViewedBar } from "../../channels/view/viewed-bar.ts";
import { useInstance } from "../../instance/view/instance.ts";
import { useTitle } from "../../instance/view/title.ts";
import { type CallView, type Talker, useCall } from "./call-state.ts";
import { join, leave } from "./calling.ts";
import { Controls } from "./controls.tsx";
import { hasMicrophones } from "./devices-here.ts";
import { useMayJoin } from "./join-button.tsx";
import { Screens } from "./screens.tsx";
import styles from "./stage.module.css";
import { TalkerTile } from "./talker-tile.tsx";
import { TroubleLine } from "./trouble.tsx";
import { useVoices } from "./voices.ts";

const RoleSays = later(async () => (await import("./role-says.tsx")).RoleSays);

export default function VoiceRoom({ channel }: { channel: OwnChannel }) {
  useTitle(
    channel.name,
    useOfServer(channel.server_id, ({ name }) => name),
  );
  // There are no messages here, so modules that wait for the first one may load.
  useEffect(shown, []);
  const call = useCall((state) => (state.call?.channel.id === channel.id ? state.call : undefined));
  const isViewed = useViewedAs(channel.id) !== undefined;
  return (
    <main
      id="messages"
      data-region="messages"
      aria-label={channel.name}
      className={classNames(styles.room, isViewed && styles.viewed)}
    >
      <RoomHead channel={channel} />
      {isViewed ? (
        <>
          <div>
            <ViewedBar channel={channel} />
          </div>
          <Outside channel={channel} call={undefined} isViewed />
        </>
      ) : call && call.is !== "joining" && call.is !== "over" ? (
        <Stage channel={channel} call={call} />
      ) : (
        <Outside channel={channel} call={call} />
      )}
    </main>
  );
}

function Stage({ channel, call }: { channel: OwnChannel; call: CallView }) {
  const { voice: words } = useWords();
  const states = useVoices(channel);
  const isAlone = call.screens.length === 0;
  return (
    <>
      <div className={classNames(styles.stage, isAlone && styles.alone)} data-state={call.is}>
        <TroubleLine call={call} />
        {call.is === "reconnecting" && <p className={styles.again}>{words.reconnecting}</p>}
        <Screens screens={call.screens} />
        <ul className={styles.talkers} aria-label={words.inRoom(channel.name)}>
          {call.talkers.map((talker) => (
            <TalkerTile
              key={talker.id}
              talker={talker}
              isLarge={isAlone}
              channel={channel}
              isDeafened={states.some(({ user_id, deafened }) => user_id === talker.id && deafened)}
            />
          ))}
        </ul>
      </div>
      <Controls call={call} hasLabels />
    </>
  );
}

interface OutsideProps {
  channel: OwnChannel;
  call: CallView | undefined;
  /** True while the reader looks at the room as a role: nobody joins then. */
  isViewed?: boolean;
}

function Outside({ channel, call, isViewed = false }: OutsideProps) {
  const { voice: words } = useWords();
  const states = useVoices(channel);
  const hasVoice = useInstance()?.features.voice ?? true;
  return (
    <div className={styles.outside}>
      {call && <TroubleLine call={call} />}
      {hasVoice ? (
        <>
          <h3>{states.length > 0 ? words.inRoom(channel.name) : words.nobody}</h3>
          <p>{states.length > 0 ? words.somebodyLead : words.nobodyLead}</p>
          {states.length > 0 && (
            <ul className={styles.talkers} aria-label={words.inRoom(channel.name)}>
              {states.map((state) => (
                <TalkerTile
                  key={state.user_id}
                  talker={quietly(state)}
                  channel={channel}
                  isDeafened={state.deafened}
                />
              ))}
            </ul>
          )}
          {!isViewed && <JoinHere channel={channel} call={call} />}
          {!isViewed && !hasMicrophones() && <WayToHttps>{words.wayToHttps}</WayToHttps>}
        </>
      ) : (
        <>
          <h3>{words.notSetUp}</h3>
          <p>{words.notSetUpLead}</p>
        </>
      )}
      {isViewed && <RoleSays channel={channel} />}
    </div>
  );
}

function JoinHere({ channel, call }: { channel: OwnChannel; call: CallView | undefined }) {
  const { voice: words } = useWords();
  const { chat } = useHouse();
  const mayJoin = useMayJoin(channel);
  if (call?.is === "over") return null;
  const isJoining = call?.is === "joining";
  return (
    <div className={styles.joining}>
      <Button
        kind="primary"
        isBusy={isJoining}
        disabledBecause={mayJoin === false ? words.mayNotJoin : undefined}
        onClick={() => void join(chat, channel)}
      >
        {isJoining ? words.joining : words.join}
      </Button>
      {isJoining && (
        <Button kind="quiet" onClick={leave}>
          {words.cancel}
        </Button>
      )}
    </div>
  );
}

/** Maps a person as the gateway knows them: who speaks is known only in the call. */
function quietly({ user_id, muted }: VoiceState): Talker {
  return { id: user_id, name: "", isMe: false, isSpeaking: false, isMuted: muted };
}
