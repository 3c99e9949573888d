// The parts of a conversation's room that differ from a channel's: its head, its beginning, and why one cannot write.
import { ArrowLeft, Ellipsis, Lock, Users } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { back } from "../../../web/ui/browser/panel.ts";
import { Button, IconButton } from "../../../web/ui/controls/button.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { PageTitle } from "../../../web/ui/controls/page-title.tsx";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { MenuButton } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { unblockUser } from "../../blocks/calls.ts";
import { useBlocked } from "../../blocks/view/blocks.ts";
import type { OwnChannel } from "../../channels/state.ts";
import roomHead from "../../channels/view/room-head.module.css";
import { inRoomHead } from "../../channels/view/slots.ts";
import { personButton } from "../../members/view/open-profile.tsx";
import composer from "../../messages/view/composer/composer.module.css";
import { LeftBehind } from "../../messages/view/drafting/left-behind.tsx";
import type { OwnConversation } from "../state.ts";
import { Comings } from "./comings.tsx";
import { ConversationFace } from "./conversation-face.tsx";
import { otherIn } from "./others.ts";
import styles from "./room-parts.module.css";
import { conversationMenu, inConversationHead } from "./slots.ts";

const PeopleDialog = laterWithKeys(async () => (await import("./people-dialog.tsx")).PeopleDialog);

interface Props {
  channel: OwnChannel;
}

function useConversation(id: string): OwnConversation | undefined {
  return useCopy(({ direct }) => direct.get(id));
}

function useOther(conversation: OwnConversation | undefined) {
  const ownId = useCopy(({ user }) => user.id);
  return conversation && otherIn(conversation, ownId);
}

export function ConversationHead({ channel }: Props) {
  const { direct: words, parts } = useWords();
  const conversation = useConversation(channel.id);
  const [, navigate] = useLocation();
  const other = useOther(conversation);
  if (!conversation) return null;
  const { id, type, name, recipients } = conversation;
  const toList = () => navigate(paths.server(null), { replace: true });
  return (
    <header className={roomHead.head}>
      <PageTitle>{words.title}</PageTitle>
      <span className={roomHead.back}>
        <IconButton label={words.back} icon={ArrowLeft} onClick={() => back(toList)} />
      </span>
      <ConversationFace conversation={conversation} size={28} />
      <h2 className={styles.heading}>
        {other ? <NameButton userId={other.id} name={name} /> : <span>{name}</span>}
      </h2>
      <p className={roomHead.topic}>
        {type === "group" ? parts.people(recipients.length) : other?.status_text}
      </p>
      {filled(inRoomHead, { channel: conversation })}
      {filled(inConversationHead, { channel: conversation })}
      {type === "group" && (
        <IconButton
          label={words.people}
          icon={Users}
          onClick={() => openOver((close) => <PeopleDialog conversationId={id} onClose={close} />)}
        />
      )}
      <MenuButton
        label={words.menu}
        icon={Ellipsis}
        items={menuOf(conversationMenu, { channel: conversation })}
      />
    </header>
  );
}

function NameButton({ userId, name }: { userId: string; name: string }) {
  return (
    <button {...personButton({ serverId: null, userId }, name)} className={styles.name}>
      {name}
    </button>
  );
}

export function Beginning({ channelId }: { channelId: string }) {
  const { direct: words } = useWords();
  const conversation = useConversation(channelId);
  const other = useOther(conversation);
  if (!conversation) return null;
  return (
    <div className={styles.beginning}>
      <ConversationFace conversation={conversation} size={72} />
      <h3>{conversation.name}</h3>
      <p>{other ? words.begins(other.username) : words.groupBegins}</p>
    </div>
  );
}

/** Only what the reader knows: people who are blocked themselves learn it by the refusal of their message. */
export function AroundWriter({ channel, children }: Props & { children: ReactNode }) {
  const { direct: words } = useWords();
  const conversation = useConversation(channel.id);
  const other = useOther(conversation);
  const isBlocked = useBlocked(other?.id ?? "");
  if (!conversation) return children;
  if (conversation.type === "group")
    return (
      <>
        {children}
        <Comings recipients={conversation.recipients} />
      </>
    );
  if (!other) return <Line channelId={channel.id}>{words.personGone}</Line>;
  if (!isBlocked) return children;
  return (
    <Line channelId={channel.id}>
      {words.youBlock(other.display_name)} <Unblock userId={other.id} />
    </Line>
  );
}

/** In the place of the writing box, with what was written there before. */
function Line({ channelId, children }: { channelId: string; children: ReactNode }) {
  return (
    <>
      <div className={composer.noRight}>
        <Icon of={Lock} size={16} />
        <div className={styles.why}>{children}</div>
      </div>
      <LeftBehind channelId={channelId} isInRoom />
      <div className={composer.below} />
    </>
  );
}

function Unblock({ userId }: { userId: string }) {
  const { direct: words } = useWords();
  const act = useAct();
  return (
    <>
      <Button
        isSmall
        isBusy={act.isBusy}
        onClick={() => void act.run(() => unblockUser({ params: { userID: userId } }))}
      >
        {words.unblock}
      </Button>
      <Refused by={act.error} />
    </>
  );
}
