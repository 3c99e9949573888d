// The second line of a conversation in the list: what was said last, or else the other person's status.
import { limits } from "../../../protocol/limits.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { excerptOf } from "../../messages/text/excerpt.ts";
import type { LastTalk, OwnConversation } from "../state.ts";
import { firstNameOf, otherIn } from "./others.ts";

export function usePreview(conversation: OwnConversation): string {
  const { direct: words } = useWords();
  const ownId = useCopy(({ user }) => user.id);
  const last = conversation.last_message;
  const isBlocked = useCopy(({ blocked }) => last !== null && blocked.includes(last.author_id));
  if (isBlocked) return words.blockedSaid;
  if (!last) return otherIn(conversation, ownId)?.status_text ?? "";
  const said = textOf(last, conversation) || words.files(last.attachment_count);
  if (last.author_id === ownId) return words.you(said);
  const author = conversation.recipients.find(({ id }) => id === last.author_id);
  if (conversation.type === "direct" || !author) return said;
  return words.says(firstNameOf(author), said);
}

function textOf({ excerpt, content = "" }: LastTalk, { recipients }: OwnConversation): string {
  if (excerpt !== undefined) return excerpt;
  let text = content;
  for (const { id, display_name } of recipients) text = text.replaceAll(`<@${id}>`, () => `@${display_name}`);
  return excerptOf(text, limits.excerpt_max);
}
