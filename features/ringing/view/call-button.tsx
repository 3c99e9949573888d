// The button "Call" in the head of a conversation.
import { Phone } from "lucide-react";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { useBlocked } from "../../blocks/view/blocks.ts";
import type { OwnConversation } from "../../direct/state.ts";
import { othersIn } from "../../direct/view/others.ts";
import { useInstance } from "../../instance/view/instance.ts";
import { ring } from "./ring.ts";
import { useRinging } from "./ringing-state.ts";

export function CallButton({ channel: conversation }: { channel: OwnConversation }) {
  const { ringing: words } = useWords();
  const { chat } = useHouse();
  const ownId = useCopy(({ user }) => user.id);
  // Bots are in no room.
  const others = othersIn(conversation, ownId).filter(({ bot }) => !bot);
  const isBlocked = useBlocked(conversation.type === "direct" ? (others[0]?.id ?? "") : "");
  const rings = useRinging(
    ({ own, startingId }) =>
      startingId === conversation.id || (own?.channelId === conversation.id && own.is === "ringing"),
  );
  const hasVoice = useInstance()?.features.voice;
  if (!hasVoice || others.length === 0 || isBlocked) return null;
  return (
    <IconButton
      label={words.call}
      icon={Phone}
      disabledBecause={rings ? words.ringsAlready : undefined}
      onClick={() => void ring(chat, conversation)}
    />
  );
}
