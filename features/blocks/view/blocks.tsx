// The people whom one blocks: fetched once, kept true by events, and changed on people's cards.
import { useEffect, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { withBlocked } from "../../../client/copy.ts";
import { announce } from "../../../web/ui/announce.ts";
import { Button } from "../../../web/ui/button.tsx";
import { Problem } from "../../../web/ui/entry.tsx";
import { useChat, useCopy, useHouse } from "../../../web/ui/house.tsx";
import { useRefusal } from "../../../web/ui/refusal.ts";
import { useWords } from "../../../web/ui/words.ts";
import type { User } from "../../accounts/contract.ts";
import { blockUser, listBlocks, unblockUser } from "../calls.ts";

/** Whether the reader blocks this person. */
export function useBlocked(userId: string): boolean {
  return useCopy((copy) => copy.blocked.includes(userId));
}

/** Mounted once, while somebody is signed in. */
export function BlockList() {
  const { chat } = useHouse();
  const generation = useChat((state) => state.generation);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a fresh READY does not say whom one blocks.
  useEffect(() => {
    let isNews = false;
    // What is heard while the answer is on its way is newer than the answer.
    const end = chat.listen(({ type }) => {
      if (type === "BLOCKS_UPDATE") isNews = true;
    });
    listBlocks()
      .then((people) => {
        if (!isNews)
          chat.change((copy) =>
            withBlocked(
              copy,
              people.map(({ id }) => id),
            ),
          );
      })
      .catch((error: unknown) => CallError.from(error))
      .finally(end);
    return end;
  }, [chat, generation]);
  return null;
}

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
