// Workload of the generator: one poster at a steady rate, and readers who mark the channel read once a second.
import { type CallerOf, openCaller } from "./caller.ts";
import { idMark, type ReadersJob, type ReadersResult, type Target } from "./jobs.ts";
import { type Frame, openListeners } from "./listeners.ts";
import { createOutcome } from "./outcome.ts";
import { createStopwatch } from "./stopwatch.ts";
import { waitsOf } from "./waits.ts";

const markEveryMs = 1000;
const tickMs = 2;
const patienceMs = 15_000;

export async function runReaders(job: ReadersJob): Promise<ReadersResult> {
  const outcome = createOutcome();
  const readers = job.marks.map((request) => new Reader(job.target, request, outcome.fail));
  const listeners = await openListeners(job.target, job.listeners, outcome.fail, {
    onEvent: (index, frame) => readers[index]?.hear(frame),
    onPersonal: (index, frame) => readers[index]?.learn(frame),
  });
  const watch = createStopwatch(job.target.pid, job);
  const begun = performance.now();
  let posted = 0;

  async function postSteadily(): Promise<void> {
    const post = openCaller(job.target);
    const requests = job.posts.map((text) => Buffer.from(text));
    for (let due = performance.now(); ; due += 1000 / job.postsPerSecond) {
      await Bun.sleep(Math.max(0, due - performance.now()));
      const sentAt = performance.now();
      await post(requests[posted++ % requests.length]!, 201);
      if (!watch.lap(performance.now() - sentAt)) return;
    }
  }

  let isOver = false;
  const marking = markInTurn(readers, () => isOver);
  postSteadily().then(outcome.succeed, (error: unknown) => outcome.fail(`a post: ${error}`));
  await outcome.settled(listeners.deliveries).finally(() => {
    isOver = true;
  });
  await marking;
  const seconds = (performance.now() - begun) / 1000;
  await listeners.heardByAll(listeners.firstNumber + posted);
  await allTold(readers, outcome.fail);
  outcome.check();
  listeners.close();
  const marked = readers.reduce((sum, reader) => sum + reader.marked, 0);
  return {
    ...watch.result(),
    marked,
    told: readers.reduce((sum, reader) => sum + reader.told, 0),
    markedPerSecond: marked / seconds,
    untold: waitsOf(readers.flatMap((reader) => reader.untold)),
  };
}

/** Lets the readers mark one after another, evenly spread over the second, as independent people would. */
async function markInTurn(readers: readonly Reader[], isOver: () => boolean): Promise<void> {
  const begun = performance.now();
  for (let turn = 0; !isOver() && readers.length > 0; await Bun.sleep(tickMs)) {
    const due = ((performance.now() - begun) / markEveryMs) * readers.length;
    for (; turn < due; turn++) readers[turn % readers.length]!.mark();
  }
}

async function allTold(readers: readonly Reader[], fail: (reason: string) => void): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (readers.some((reader) => !reader.knowsAll) && performance.now() < deadline) await Bun.sleep(5);
  const untold = readers.filter((reader) => !reader.knowsAll).length;
  if (untold > 0) fail(`${untold} readers were not told of their last marker`);
}

/** Marks the newest message that the reader's socket received, and expects an event that confirms the marker. */
class Reader {
  marked = 0;
  told = 0;
  /** How long each marker waited for its event, in milliseconds. */
  readonly untold: number[] = [];
  readonly #call: CallerOf;
  readonly #request: string;
  readonly #fail: (reason: string) => void;
  /** By message, when each marker was sent that no event has confirmed yet. */
  readonly #sent = new Map<string, number>();
  #newest = "";
  #last = "";
  #isAnswered = true;

  constructor(target: Target, request: string, fail: (reason: string) => void) {
    this.#call = openCaller(target);
    this.#request = request;
    this.#fail = fail;
  }

  get knowsAll(): boolean {
    return this.#isAnswered && this.#sent.size === 0;
  }

  hear({ type, data }: Frame): void {
    if (type === "MESSAGE_CREATE") this.#newest = String(data.id);
  }

  /** Skips this turn while a marker is in flight, as the page does. */
  mark(): void {
    const id = this.#newest;
    if (!this.#isAnswered || id === this.#last) return;
    this.#last = id;
    this.#sent.set(id, performance.now());
    this.#isAnswered = false;
    this.#call(Buffer.from(this.#request.replace(idMark, id)), 204).then(
      () => {
        this.#isAnswered = true;
        this.marked++;
      },
      (error: unknown) => this.#fail(`a marker: ${error}`),
    );
  }

  /** The last marker counts, so an event confirms earlier ones as well. No event may come for one of those again. */
  learn({ type, data }: Frame): void {
    const id = String(data.last_read_id);
    if (type !== "READ_STATE_UPDATE" || !this.#sent.has(id)) {
      this.#fail(`an event that no marker caused: ${type} ${JSON.stringify(data)}`);
      return;
    }
    this.told++;
    for (const [earlier, sentAt] of this.#sent) {
      if (earlier > id) continue;
      this.untold.push(performance.now() - sentAt);
      this.#sent.delete(earlier);
    }
  }
}
