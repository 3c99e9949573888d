// Blocking a person, and taking it back: on their card.
import { useState } from "react";
import { CallError } from "../../../client/call.ts";
import { announce } from "../../../web/ui/announce.ts";
import { Button } from "../../../web/ui/button.tsx";
import { Problem } from "../../../web/ui/entry.tsx";
import { useRefusal } from "../../../web/ui/refusal.ts";
import { useWords } from "../../../web/ui/words.ts";
import type { User } from "../../accounts/contract.ts";
import { blockUser, unblockUser } from "../calls.ts";
import { useBlocked } from "./blocks.ts";

export function BlockButton({ user }: { user: User }) {
  const { blocks: words } = useWords();
  const isBlocked = useBlocked(user.id);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const refusal = useRefusal(error);

  async function toggle() {
    setBusy(true);
    setError(undefined);
    try {
      await (isBlocked ? unblockUser : blockUser)({ params: { userID: user.id } });
      announce(isBlocked ? words.unblocked(user.display_name) : words.blocked(user.display_name));
    } catch (failure) {
      setError(CallError.from(failure));
    }
    setBusy(false);
  }

  return (
    <>
      <Button isSmall isBusy={isBusy} onClick={toggle} title={isBlocked ? undefined : words.blockHint}>
        {isBlocked ? words.unblock : words.block}
      </Button>
      {refusal && <Problem>{refusal}</Problem>}
    </>
  );
}
