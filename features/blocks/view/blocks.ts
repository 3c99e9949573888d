// The user's blocks: fetched once, and kept current by events.
import { useEffect } from "react";
import { CallError } from "../../../client/call.ts";
import { withBlocked } from "../../../client/copy.ts";
import { useChat, useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { listBlocks } from "../calls.ts";

/** True if the reader blocks this person. */
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
    // An event that arrives during the request is newer than the response.
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
    return () => {
      // After another READY the list is fetched again.
      isNews = true;
      end();
    };
  }, [chat, generation]);
  return null;
}
