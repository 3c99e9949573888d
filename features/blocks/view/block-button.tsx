// The button on a person's card that blocks and unblocks them.

import { announce } from "../../../web/ui/browser/announce.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { blockUser, unblockUser } from "../calls.ts";
import { useBlocked } from "./blocks.ts";

/** Nobody blocks themself: the reader's own card has none. */
export function BlockButton({ user }: { user: User }) {
  const ownId = useCopy((copy) => copy.user.id);
  return user.id === ownId ? null : <Toggle user={user} />;
}

function Toggle({ user }: { user: User }) {
  const { blocks: words } = useWords();
  const isBlocked = useBlocked(user.id);
  const act = useAct();

  async function toggle() {
    const call = isBlocked ? unblockUser : blockUser;
    if (!(await act.run(() => call({ params: { userID: user.id } })))) return;
    announce(isBlocked ? words.unblocked(user.display_name) : words.blocked(user.display_name));
  }

  return (
    <>
      <Button
        isSmall
        isBusy={act.isBusy}
        onClick={() => void toggle()}
        title={isBlocked ? undefined : words.blockHint}
      >
        {isBlocked ? words.unblock : words.block}
      </Button>
      <Refused by={act.error} />
    </>
  );
}
