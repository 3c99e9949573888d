// A browser for the tests of drafts: its store in memory, and the tabs that tell each other of their drafts.
import {
  type Draft,
  type DraftStore,
  Drafts,
  type DraftTab,
  isEmpty,
  newestFirst,
} from "../../client/drafts.ts";

type Told = Parameters<DraftTab["tell"]>[0];

/** A browser: what it keeps, and the pages that it has open. */
export function memory() {
  const kept = new Map<string, Draft>();
  const store: DraftStore = {
    all: async () => [...kept.values()].sort(newestFirst),
    replace: async (before, draft) => {
      kept.delete(before.id);
      if (!isEmpty(draft)) kept.set(draft.id, draft);
    },
  };
  const listening = new Map<object, (told: Told) => void>();
  let due: (() => void) | undefined;
  let clock = 0;
  /** A tab keeps its session over a reload; one that is opened anew has another. */
  const page = (session = new Map<string, string>()) => {
    const here = {};
    const tab: DraftTab = {
      last: (channelId) => session.get(channelId),
      note: (channelId, id) => void session.set(channelId, id),
      tell: (told) => {
        for (const [each, heard] of listening) if (each !== here) heard(told);
      },
      onTold: (heard) => listening.set(here, heard),
    };
    const drafts = new Drafts({
      store,
      tab,
      now: () => ++clock,
      later: (_, run) => {
        due = run;
        return () => {
          due = undefined;
        };
      },
    });
    /** The browser lets it rest: it hears nothing more. */
    const freeze = () => void listening.delete(here);
    /** The page goes. */
    const close = () => {
      drafts.write();
      freeze();
    };
    return Object.assign(drafts, { close, freeze });
  };
  const opened = async (session?: Map<string, string>) => {
    const drafts = page(session);
    await drafts.open();
    return drafts;
  };
  /** What is kept of a channel, the newest last. */
  const texts = (channelId = "a") =>
    [...kept.values()]
      .filter((each) => each.channelId === channelId)
      .sort((one, other) => one.changedAt - other.changedAt)
      .map(({ text }) => text);
  return { kept, store, page, opened, texts, pause: () => due?.() };
}

/** Until what was asked of the store has been done. */
export const settled = () => new Promise((resolve) => setTimeout(resolve));
