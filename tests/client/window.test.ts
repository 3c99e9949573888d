// Windows of messages: pages and events in any order leave no gap and no duplicate.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  atPresent,
  atRest,
  type Span,
  shownOf,
  spanMost,
  type Window,
  windowAfter,
  withAround,
  withEach,
  withLive,
  withNewer,
  withOlder,
} from "../../client/window.ts";
import type { Message } from "../../features/messages/contract.ts";
import { message } from "./scene.ts";

const pageLength = 6;

function said(number: number): Message {
  return { ...message("any", "alice", "general"), id: String(number).padStart(8, "0") };
}

/** A channel on the server, and a client's window of it with requests under way. */
class Channel {
  messages: Message[] = [];
  window: Window = {};
  #last = 0;
  readonly #late: (() => void)[] = [];

  create(): void {
    const next = said(++this.#last);
    this.messages = [next, ...this.messages];
    this.window = windowAfter(this.window, true, (all) => [next, ...all]);
  }

  delete(at: number): void {
    const gone = this.messages[at % (this.messages.length || 1)];
    if (!gone) return;
    this.messages = this.messages.filter((each) => each !== gone);
    const without = (all: readonly Message[]) => all.filter(({ id }) => id !== gone.id);
    this.window = windowAfter(this.window, false, (all) =>
      without(all).length < all.length ? without(all) : all,
    );
  }

  newest(): void {
    this.#newest((live) => ({ live }));
  }

  newestBeside(): void {
    this.#newest((live) => withLive(this.window, live));
  }

  #newest(toWindow: (live: Span) => Window): void {
    const page = this.messages.slice(0, pageLength);
    this.#later(() => {
      // Messages created during the request arrive as events, and are part of the window.
      const newer = this.messages.filter(({ id }) => id > (page[0]?.id ?? ""));
      const hasOlder = this.messages.some(({ id }) => id < (page.at(-1)?.id ?? ""));
      this.window = toWindow({ messages: [...newer, ...this.#still(page)], hasOlder });
    });
  }

  older(): void {
    const cursor = shownOf(this.window).messages.at(-1)?.id;
    if (cursor === undefined) return;
    const all = this.messages.filter(({ id }) => id < cursor);
    const page = all.slice(0, pageLength);
    this.#later(() => {
      this.window = withOlder(this.window, cursor, {
        messages: this.#still(page),
        hasOlder: all.length > page.length,
      });
    });
  }

  newer(): void {
    const cursor = this.window.far?.messages[0]?.id;
    if (cursor === undefined) return;
    const all = this.messages.filter(({ id }) => id > cursor);
    const page = all.slice(-pageLength);
    const hasNewer = all.length > page.length;
    this.#later(() => {
      const heard = hasNewer ? [] : this.messages.filter(({ id }) => id > (all[0]?.id ?? cursor));
      this.window = withNewer(this.window, cursor, [...heard, ...this.#still(page)], hasNewer);
    });
  }

  around(number: number): void {
    const { id: middle } = said(number);
    const at = this.messages.findIndex(({ id }) => id < middle);
    const start = Math.max(0, (at < 0 ? this.messages.length : at) - pageLength / 2);
    const page = this.messages.slice(start, start + pageLength);
    const hasOlder = start + pageLength < this.messages.length;
    this.#later(() => {
      const messages = this.#still(page);
      const newest = messages[0]?.id;
      if (newest === undefined) return;
      const hasNewer = this.messages.some(({ id }) => id > newest);
      this.window = withAround(this.window, { messages, hasOlder }, hasNewer);
    });
  }

  deliver(at: number): void {
    this.#late.splice(at % (this.#late.length || 1), 1)[0]?.();
  }

  deliverAll(): void {
    while (this.#late.length > 0) this.deliver(0);
  }

  #later(run: () => void): void {
    this.#late.push(run);
  }

  /** Removes messages that were deleted during the request. */
  #still(page: readonly Message[]): Message[] {
    return page.filter((each) => this.messages.includes(each));
  }
}

function expectWhole(span: Span | undefined, all: readonly Message[], isNewest: boolean): void {
  if (!span) return;
  const ids = span.messages.map(({ id }) => id);
  const from = isNewest ? 0 : all.findIndex(({ id }) => id === ids[0]);
  expect(ids).toEqual(all.slice(from < 0 ? 0 : from, (from < 0 ? 0 : from) + ids.length).map(({ id }) => id));
  const oldest = ids.at(-1);
  if (oldest !== undefined && all.some(({ id }) => id < oldest)) expect(span.hasOlder).toBe(true);
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant((channel: Channel) => channel.create()) },
  { weight: 2, arbitrary: fc.nat(60).map((at) => (channel: Channel) => channel.delete(at)) },
  { weight: 1, arbitrary: fc.constant((channel: Channel) => channel.newest()) },
  { weight: 1, arbitrary: fc.constant((channel: Channel) => channel.newestBeside()) },
  { weight: 4, arbitrary: fc.constant((channel: Channel) => channel.older()) },
  { weight: 4, arbitrary: fc.constant((channel: Channel) => channel.newer()) },
  { weight: 3, arbitrary: fc.nat(60).map((id) => (channel: Channel) => channel.around(id)) },
  { weight: 9, arbitrary: fc.nat(5).map((at) => (channel: Channel) => channel.deliver(at)) },
  {
    weight: 1,
    arbitrary: fc.constant((channel: Channel) => {
      channel.window = atPresent(channel.window);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant((channel: Channel) => {
      channel.window = atRest(channel.window) ?? {};
    }),
  },
);

describe("a window of messages", () => {
  test("opened in the middle, it shows the same messages when the newest arrive beside them", () => {
    const channel = new Channel();
    for (let i = 0; i < 40; i++) channel.create();
    channel.around(10);
    channel.deliverAll();
    const before = shownOf(channel.window);
    channel.newestBeside();
    channel.deliverAll();
    expect(shownOf(channel.window)).toEqual(before);
    expect(channel.window.live?.messages).toEqual(channel.messages.slice(0, pageLength));
  });

  test("what was read on to the newest message meanwhile stays when they arrive", () => {
    const channel = new Channel();
    for (let i = 0; i < 12; i++) channel.create();
    channel.around(5);
    channel.deliverAll();
    channel.newestBeside();
    channel.newer();
    channel.deliver(1);
    const before = shownOf(channel.window);
    expect(before.messages[0]).toBe(channel.messages[0]!);
    channel.deliverAll();
    expect(shownOf(channel.window).messages).toEqual(before.messages);
  });

  test("pages, however late, and events in any order: both spans are pieces of the channel without a hole", () => {
    fc.assert(
      fc.property(fc.nat(40), fc.array(step, { maxLength: 60 }), (count, steps) => {
        const channel = new Channel();
        for (let i = 0; i < count; i++) channel.create();
        channel.newest();
        channel.deliverAll();
        for (const each of steps) {
          each(channel);
          expectWhole(channel.window.live, channel.messages, true);
          expectWhole(channel.window.far, channel.messages, false);
        }
      }),
      { numRuns: 400, seed: 20_261_121 },
    );
  });

  test("from any place, scrolling on to both ends reads the whole channel", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), (count, place) => {
        const channel = new Channel();
        for (let i = 0; i < count; i++) channel.create();
        channel.around(place);
        channel.deliverAll();
        while (channel.window.far) {
          channel.newer();
          channel.deliverAll();
        }
        while (shownOf(channel.window).hasOlder) {
          channel.older();
          channel.deliverAll();
        }
        expect(shownOf(channel.window).messages).toEqual(channel.messages);
      }),
      { numRuns: 200, seed: 20_261_121 },
    );
  });

  test("a page before what was shown until somebody jumped away is not put behind another place", () => {
    const window: Window = {
      live: { messages: [said(90)], hasOlder: true },
      far: { messages: [said(20)], hasOlder: true },
    };
    expect(withOlder(window, said(90).id, { messages: [said(89)], hasOlder: true })).toBe(window);
    expect(withNewer(window, said(21).id, [said(22)], true)).toBe(window);
  });

  test("whoever went back to the present stays there, however much they had read before, and what was still asked for comes", () => {
    const all = Array.from({ length: spanMost + 60 }, (_, i) => said(spanMost + 60 - i));
    const window: Window = {
      live: { messages: all.slice(0, spanMost), hasOlder: true },
      far: { messages: [said(1)], hasOlder: false },
      isHeld: true,
    };
    const back = atPresent(window);
    expect(back.live?.messages.length).toBeLessThan(spanMost / 2);
    expect(back.live?.hasOlder).toBe(true);
    const long: Window = { live: { messages: all.slice(0, spanMost), hasOlder: true } };
    const page = { messages: all.slice(spanMost), hasOlder: false };
    const oldest = all[spanMost - 1]?.id ?? "";
    expect(withOlder(long, oldest, page)).toBe(long);
    expect(withOlder({ ...long, isHeld: true }, oldest, page).far?.messages.at(-1)).toEqual(said(1));
  });

  test("of a channel that was read to its beginning the newest stay, and that there are older ones", () => {
    const all = Array.from({ length: 60 }, (_, i) => said(60 - i));
    const live = { messages: all, hasOlder: false };
    const far = { messages: [said(1)], hasOlder: false };
    for (const short of [atRest({ live }), atPresent({ live, far })]) {
      expect(short?.live?.messages.length).toBeLessThan(60);
      expect(short?.live?.hasOlder).toBe(true);
    }
    const whole = { messages: all.slice(20), hasOlder: false };
    expect(atRest({ live: whole })).toEqual({ live: whole });
  });

  test("a page that touches what is there says nothing of the old end that is known already", () => {
    const live = { messages: [said(3), said(2), said(1)], hasOlder: false };
    const around = withAround({ live }, { messages: [said(3), said(2)], hasOlder: true }, false);
    expect(around.live).toEqual(live);
    expect(
      withAround({ live: { ...live, hasOlder: true } }, { messages: [], hasOlder: false }, false).live
        ?.hasOlder,
    ).toBe(true);
  });

  test("a reader further up keeps what they read while five hundred more are written; one at the bottom lets it go", () => {
    const start = { live: { messages: [said(2), said(1)], hasOlder: false } };
    let reader: Window = { ...start, isHeld: true };
    let other: Window = start;
    for (let i = 3; i <= 2 * spanMost + 10; i++) {
      const after = (all: readonly Message[]) => [said(i), ...all];
      reader = windowAfter(reader, true, after);
      other = windowAfter(other, true, after);
      if (i < spanMost + 10) expect(shownOf(reader).messages.at(-1)?.id).toBe(said(1).id);
    }
    expect(shownOf(reader).messages.at(-1)?.id).toBe(said(1).id);
    expect(shownOf(reader).messages).toHaveLength(spanMost);
    expect(shownOf(other).messages.length).toBeLessThanOrEqual(spanMost + 50);
    expect(other.live?.hasOlder).toBe(true);
  });

  test("messages of which events were missed get nothing new, are no neighbours of a page, and stay so until they are fetched", () => {
    const live = { messages: [said(5), said(4)], hasOlder: true };
    const stale: Window = { live, isStale: true };
    expect(windowAfter(stale, true, (all) => [said(9), ...all])).toBe(stale);
    const after = windowAfter(stale, false, (all) => all.filter(({ id }) => id !== said(5).id));
    expect(after).toEqual({ live: { ...live, messages: [said(4)] }, isStale: true });
    const page = { messages: [said(6), said(5)], hasOlder: true };
    expect(withAround(stale, page, true)).toEqual({ far: page, isHeld: true });
    const far = { messages: [said(2)], hasOlder: false };
    expect(atPresent({ live, far, isStale: true })).toEqual({ live, far, isStale: true });
    const newer = withNewer({ live, far, isStale: true }, said(2).id, [said(4), said(3)], true);
    expect(newer).toEqual({ live: { messages: [5, 4, 3, 2].map(said), hasOlder: false }, isStale: true });
  });

  test("a message is changed wherever it is held, and nothing else of the window is", () => {
    const span = { messages: [said(2), said(1)], hasOlder: true };
    const window: Window = { live: span, far: span, isHeld: true };
    const changed = withEach(window, (each) => (each.id === said(1).id ? { ...each, content: "new" } : each));
    const after = { ...span, messages: [said(2), { ...said(1), content: "new" }] };
    expect(changed).toEqual({ live: after, far: after, isHeld: true });
    expect(withEach({ far: span }, (each) => each)).toEqual({ far: span });
  });
});
