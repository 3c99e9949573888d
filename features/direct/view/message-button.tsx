// The button on a person's card that opens the conversation with them.
import { MessageCircle } from "lucide-react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { useOpen } from "./use-open.ts";

/** Nobody writes to themself: the reader's own card has none. */
export function MessageButton({ user, close }: { user: User; close(): void }) {
  const { direct: words } = useWords();
  const ownId = useCopy((copy) => copy.user.id);
  const act = useAct();
  const open = useOpen();
  if (user.id === ownId) return null;
  return (
    <>
      <Button
        kind="primary"
        icon={MessageCircle}
        isBusy={act.isBusy}
        onClick={() => void act.run(() => open([user.id]), close)}
      >
        {words.message}
      </Button>
      <Refused by={act.error} />
    </>
  );
}
