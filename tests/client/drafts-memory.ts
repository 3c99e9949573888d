// A browser for the tests of drafts: its store in memory, and tabs that notify each other.
import {
  type Draft,
  type DraftStore,
  Drafts,
  type DraftTab,
  isEmpty,
  newestFirst,
} from "../../client/drafts.ts";

type Told = Parameters<DraftTab["tell"]>[0];

/** A browser: its stored drafts and its open pages. */
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
  /** A tab keeps its session storage over a reload; a newly opened one has its own. */
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
    /** The browser freezes the page: it receives nothing more. */
    const freeze = () => void listening.delete(here);
    /** The page is closed. */
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
  /** The stored texts of a channel, newest last. */
  const texts = (channelId = "a") =>
    [...kept.values()]
      .filter((each) => each.channelId === channelId)
      .sort((one, other) => one.changedAt - other.changedAt)
      .map(({ text }) => text);
  return { kept, store, page, opened, texts, pause: () => due?.() };
}

/** Resolves once pending operations of the store are done. */
export const settled = () => new Promise((resolve) => setTimeout(resolve));
