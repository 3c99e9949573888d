// Opens the dialog that begins a conversation, from anywhere on the page.
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";

const NewConversation = laterWithKeys(async () => (await import("./new-conversation.tsx")).NewConversation);

export function openNewConversation(): void {
  openOver((close) => <NewConversation onClose={close} />, "new-conversation");
}
