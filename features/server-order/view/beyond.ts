// The marks of the edges of the strip: whether servers whose tabs are out of sight have something unread or mentions.
import { type RefObject, useLayoutEffect, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { isUnreadIn, mentionsOf } from "../../servers/view/marks.ts";

type Mark = "unread" | "mention" | undefined;

interface Beyond {
  before: Mark;
  after: Mark;
  /** The number of all mentions out of sight. */
  mentions: number;
}

interface Asked {
  tabs: RefObject<HTMLElement | null>;
  /** The ids of the servers: the same list as long as these and their order stay. */
  ids: readonly string[];
  servers: readonly OwnServer[];
  currentId: string | undefined;
}

export function useBeyond({ tabs, ids, servers, currentId }: Asked): Beyond {
  const [first, end] = useInSight(tabs, ids);
  // A text, so that React sees the same value as long as nothing changes.
  const told = useCopy((copy) => {
    const markOf = (some: readonly OwnServer[]) => {
      // The list of channels shows what is unread in the open server.
      const others = some.filter(({ id }) => id !== currentId);
      const mentions = others.reduce((sum, server) => sum + mentionsOf(copy, server), 0);
      const isUnread = mentions === 0 && others.some((server) => isUnreadIn(copy, server));
      return {
        mark: mentions > 0 ? ("mention" as const) : isUnread ? ("unread" as const) : undefined,
        mentions,
      };
    };
    const [before, after] = [markOf(servers.slice(0, first)), markOf(servers.slice(end))];
    const beyond: Beyond = {
      before: before.mark,
      after: after.mark,
      mentions: before.mentions + after.mentions,
    };
    return JSON.stringify(beyond);
  });
  return JSON.parse(told);
}

/** Returns the index of the first tab in sight, and of the first one behind those. Half of a tab is enough to be seen. */
function useInSight(tabs: Asked["tabs"], ids: readonly string[]): [number, number] {
  const [inSight, setInSight] = useState<[number, number]>([0, ids.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tabs are those of the servers.
  useLayoutEffect(() => {
    const element = tabs.current;
    if (!element) return;
    const look = () => {
      const { left, right } = element.getBoundingClientRect();
      const seen = [...element.children].map((tab) => {
        const box = tab.getBoundingClientRect();
        const middle = (box.left + box.right) / 2;
        return middle >= left && middle <= right;
      });
      const now: [number, number] = [seen.indexOf(true), seen.lastIndexOf(true) + 1];
      setInSight((before) => (before.join() === now.join() ? before : now));
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [tabs, ids]);
  return inSight;
}
