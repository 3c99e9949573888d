// The button "Call" on a person's card: opens the conversation with them, and rings.
import { Phone } from "lucide-react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { useBlocked } from "../../blocks/view/blocks.ts";
import { useOpen } from "../../direct/view/use-open.ts";
import { useInstance } from "../../instance/view/instance.ts";
import { ring } from "./ring.ts";

/** Bots are in no room, and nobody calls themself. */
export function CallPerson({ user, close }: { user: User; close(): void }) {
  const { ringing: words } = useWords();
  const { chat } = useHouse();
  const ownId = useCopy((copy) => copy.user.id);
  const isBlocked = useBlocked(user.id);
  const hasVoice = useInstance()?.features.voice;
  const act = useAct();
  const open = useOpen();
  if (!hasVoice || isBlocked || user.bot || user.id === ownId) return null;
  const call = async () => {
    const conversation = await open([user.id]);
    void ring(chat, conversation);
  };
  return (
    <>
      <Button icon={Phone} isBusy={act.isBusy} onClick={() => void act.run(call, close)}>
        {words.call}
      </Button>
      <Refused by={act.error} />
    </>
  );
}
