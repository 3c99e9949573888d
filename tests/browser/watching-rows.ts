// Measures the list of messages in each frame: how far a row moved, and whether the list was ever empty.
import type { Page } from "playwright-core";

export const messages = '[role=list][aria-label="Messages"]';

/**
 * For scripts in a page. Resize observers run last before a frame is painted, in order of creation: a new one sees what
 * is painted. A task after the frame may come after others that have changed the page.
 */
const tools = `
  const list = document.querySelector('${messages}');
  const scroller = list?.parentElement;
  const rows = () => [...document.querySelectorAll('${messages} [data-message-id]')];
  const topOf = (row) => row.getBoundingClientRect().top;
  const inOrder = () => rows().sort((one, other) => topOf(one) - topOf(other));
  const painted = () => new Promise((done) => {
    requestAnimationFrame(() => {
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        done();
      });
      observer.observe(document.body);
    });
  });
  const isInSight = (row) => {
    const now = document.querySelector('${messages}')?.parentElement;
    if (!now) return false;
    const [mine, whole] = [row.getBoundingClientRect(), now.getBoundingClientRect()];
    return mine.bottom > whole.top && mine.top < whole.bottom;
  };
`;

function run<T>(page: Page, script: string): Promise<T> {
  return page.evaluate<T>(`(async () => { ${tools} ${script} })()`);
}

/** Begins to watch the row of a message. */
export async function watchRow(page: Page, id: string): Promise<void> {
  await run(
    page,
    `
    const row = () => document.querySelector('${messages} [data-message-id="${id}"]');
    if (!row()) throw new Error("the row is not there");
    const watched = { most: 0, isOver: false };
    const from = topOf(row());
    globalThis.watched = watched;
    (async () => {
      while (!watched.isOver) {
        const now = row();
        watched.most = Math.max(watched.most, now ? Math.abs(topOf(now) - from) : Infinity);
        await painted();
      }
    })();`,
  );
}

/** Ends the watch after two more frames. Returns the row's largest distance from its first place, in pixels. */
export function movedMost(page: Page): Promise<number> {
  return run(page, "await painted(); await painted(); watched.isOver = true; return watched.most;");
}

/** Begins to watch whether rows are in sight, and the distance of the list's end from the lower edge. */
export async function watchEnd(page: Page): Promise<void> {
  await run(
    page,
    `
    const watched = { most: 0, wasEmpty: false, isOver: false };
    globalThis.watchedEnd = watched;
    (async () => {
      while (!watched.isOver) {
        const now = document.querySelector('${messages}')?.parentElement;
        if (!rows().some(isInSight)) watched.wasEmpty = true;
        if (now) watched.most = Math.max(watched.most, now.scrollHeight - now.clientHeight - now.scrollTop);
        await painted();
      }
    })();`,
  );
}

/** Ends the watch and returns its result. */
export function endWatched(page: Page): Promise<{ most: number; wasEmpty: boolean }> {
  return run(
    page,
    "watchedEnd.isOver = true; const { most, wasEmpty } = watchedEnd; return { most, wasEmpty };",
  );
}

/** Begins to record the creation of rows, by their messages; includes rows that were drawn before. */
export async function watchMaking(page: Page): Promise<void> {
  await run(
    page,
    `
    const made = [];
    globalThis.made = made;
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const row of addedNodes) made.push(row.querySelector("[data-message-id]")?.dataset.messageId);
    }).observe(list, { childList: true });`,
  );
}

/** Returns the messages of the rows created since, in that order, once the list rests. */
export async function madeIds(page: Page): Promise<string[]> {
  await untilStill(page);
  // The list ignores the pointer until a while after the last scroll.
  return run(
    page,
    'while (list.style.pointerEvents === "none") await painted(); await painted(); return made;',
  );
}

/** The ids of the drawn messages, in their order on the screen. */
export function drawnIds(page: Page): Promise<string[]> {
  return run(page, "return inOrder().map((row) => row.dataset.messageId);");
}

/** The id of the first message that is fully in sight. */
export function firstInSight(page: Page): Promise<string> {
  return run(
    page,
    "return inOrder().find((row) => topOf(row) >= scroller.getBoundingClientRect().top).dataset.messageId;",
  );
}

/** Pixels between the end of the list and the visible part. */
export function belowSight(page: Page): Promise<number> {
  return run(page, "return scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;");
}

/** Records the list's height in each frame from now on, in `heights`. */
export async function noteHeights(page: Page): Promise<void> {
  await run(
    page,
    `
    const heights = new Set();
    globalThis.heights = heights;
    (async () => {
      for (;;) {
        await painted();
        const height = document.querySelector('${messages}')?.clientHeight;
        if (height) heights.add(height);
      }
    })();`,
  );
}

export function listHeight(page: Page): Promise<number> {
  return run(page, "return list.clientHeight;");
}

/** Turns the wheel over the list, and waits until it stops scrolling. */
export async function wheel(page: Page, pixels: number): Promise<void> {
  const box = await page.locator(messages).locator("..").boundingBox();
  if (!box) throw new Error("there is no list");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, pixels);
  await untilStill(page);
}

/** Waits until the list has been in the same place for ten frames. */
export async function untilStill(page: Page): Promise<void> {
  await run(
    page,
    `
    const place = () => {
      const now = document.querySelector('${messages}')?.parentElement;
      return now && "isThere" in now.dataset ? now.scrollTop + " " + now.scrollHeight : undefined;
    };
    let before = place();
    for (let same = 0; same < 10; ) {
      await painted();
      const now = place();
      same = now !== undefined && now === before ? same + 1 : 0;
      before = now;
    }`,
  );
}

/** Follows a link within the page. */
export async function follow(page: Page, path: string): Promise<void> {
  await run(page, `history.pushState(null, "", ${JSON.stringify(path)});`);
}

/** Presses a button this many frames after a message is drawn: sooner than a test can from outside. */
export async function pressWhenDrawn(page: Page, id: string, name: string, frames: number): Promise<void> {
  await run(
    page,
    `
    const button = () => [...document.querySelectorAll("button")].find((each) => each.textContent === "${name}");
    const isDrawn = () => rows().some((row) => row.dataset.messageId === "${id}") && button();
    const frame = () => new Promise(requestAnimationFrame);
    while (!isDrawn()) await frame();
    for (let i = 0; i < ${frames}; i++) await frame();
    button().click();`,
  );
}
