// The face of a conversation: that of the other person with their presence, or two faces of a group.
import { Face } from "../../../web/ui/controls/face.tsx";
import { PresenceMark } from "../../../web/ui/controls/presence-mark.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import type { OwnConversation } from "../state.ts";
import styles from "./conversation-face.module.css";
import { othersIn } from "./others.ts";

interface Props {
  conversation: OwnConversation;
  /** The size in pixels. */
  size: number;
}

/** The size of each of a group's two faces, as a part of the whole. */
const partOfTwo = 0.68;

export function ConversationFace({ conversation, size }: Props) {
  const ownId = useCopy(({ user }) => user.id);
  const others = othersIn(conversation, ownId);
  const [first, second] = others.length > 0 ? others : conversation.recipients;
  if (!first) return null;
  if (conversation.type === "direct" || !second)
    return (
      <Face id={first.id} name={first.display_name} picture={first.avatar} size={size}>
        {conversation.type === "direct" && <PresenceMark status={first.presence} />}
      </Face>
    );
  const small = Math.round(size * partOfTwo);
  return (
    <span className={styles.two} style={{ "--size": `${size}px` }}>
      {[first, second].map(({ id, display_name, avatar }) => (
        <Face key={id} id={id} name={display_name} picture={avatar} size={small} />
      ))}
    </span>
  );
}
