// The call of a conversation, above its messages: the people in it and its buttons, or who talks there and a way in.
import { Button } from "../../../web/ui/controls/button.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";
import type { OwnConversation } from "../../direct/state.ts";
import { othersIn } from "../../direct/view/others.ts";
import { type CallView, useCall } from "../../voice/view/call-state.ts";
import { leave } from "../../voice/view/calling.ts";
import { Controls } from "../../voice/view/controls.tsx";
import { Screens } from "../../voice/view/screens.tsx";
import { TalkerTile } from "../../voice/view/talker-tile.tsx";
import { TroubleLine } from "../../voice/view/trouble.tsx";
import { useVoices } from "../../voice/view/voices.ts";
import styles from "./conversation-call.module.css";
import { joinUnlessThere } from "./ring.ts";
import { useRinging } from "./ringing-state.ts";

export function ConversationCall({ channel: { id } }: { channel: OwnChannel }) {
  const conversation = useCopy(({ direct }) => direct.get(id));
  const call = useCall((state) => (state.call?.channel.id === id ? state.call : undefined));
  if (!conversation) return null;
  return call ? <Inside conversation={conversation} call={call} /> : <Outside conversation={conversation} />;
}

function Inside({ conversation, call }: { conversation: OwnConversation; call: CallView }) {
  const { voice } = useWords();
  const states = useVoices(conversation);
  const line = useLine(conversation, call);
  const name = voice.inRoom(conversation.name);
  return (
    <section aria-label={name} className={styles.call} data-state={call.is}>
      <div className={styles.stage}>
        <TroubleLine call={call} />
        <p role="status" className={styles.line}>
          {line}
        </p>
        <Screens screens={call.screens} />
        {call.talkers.length > 0 && (
          <ul className={styles.talkers} aria-label={name}>
            {call.talkers.map((talker) => (
              <TalkerTile
                key={talker.id}
                talker={talker}
                channel={conversation}
                isDeafened={states.some(({ user_id, deafened }) => user_id === talker.id && deafened)}
              />
            ))}
          </ul>
        )}
      </div>
      {call.is === "joining" && (
        <div className={styles.cancel}>
          <Button kind="quiet" isSmall onClick={leave}>
            {voice.cancel}
          </Button>
        </div>
      )}
      {(call.is === "joined" || call.is === "reconnecting") && (
        <div className={styles.controls}>
          <Controls call={call} hasLabels />
        </div>
      )}
    </section>
  );
}

/** Returns the sentence about the state of the call; undefined while people simply talk. */
function useLine(conversation: OwnConversation, { is, talkers }: CallView): string | undefined {
  const { ringing: words, voice } = useWords();
  const ownId = useCopy(({ user }) => user.id);
  const own = useRinging((state) => (state.own?.channelId === conversation.id ? state.own.is : undefined));
  if (is === "joining") return voice.joining;
  if (is === "reconnecting") return voice.reconnecting;
  if (is === "over" || !own || talkers.length > 1) return undefined;
  const [other] = othersIn(conversation, ownId);
  if (own === "ringing") return words.calling(conversation.name);
  // In a group it does not say who of them declined.
  if (conversation.type === "group" || !other) return words.nobodyCame;
  return words[own](other.display_name);
}

function Outside({ conversation }: { conversation: OwnConversation }) {
  const { ringing: words, voice } = useWords();
  const { chat } = useHouse();
  const states = useVoices(conversation);
  const people = conversation.recipients.filter(({ id }) => states.some(({ user_id }) => user_id === id));
  if (people.length === 0) return null;
  return (
    <section aria-label={voice.inRoom(conversation.name)} className={styles.others}>
      {people.map(({ id, display_name, avatar }) => (
        <Face key={id} id={id} name={display_name} picture={avatar} size={28} />
      ))}
      <p>{words.areTalking(people.map(({ display_name }) => display_name))}</p>
      <Button kind="primary" isSmall onClick={() => void joinUnlessThere(chat, conversation)}>
        {voice.join}
      </Button>
    </section>
  );
}
