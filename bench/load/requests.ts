// Workload of the generator: many connections, each with one request in flight, every answer checked.
import { type HttpConnection, openHttp } from "./http-connection.ts";
import type { RequestJob, RequestResult } from "./jobs.ts";
import { openListeners } from "./listeners.ts";
import { createOutcome } from "./outcome.ts";
import { createStopwatch } from "./stopwatch.ts";

export async function runRequests(job: RequestJob): Promise<RequestResult> {
  const outcome = createOutcome();
  const { fail } = outcome;
  const listeners = job.listeners && (await openListeners(job.target, job.listeners, fail));
  const requests = job.requests.map((list) => list.map((text) => Buffer.from(text)));
  const watch = createStopwatch(job.target.pid, job);
  const expected = job.expectedBody === undefined ? undefined : Buffer.from(job.expectedBody);
  let waiting = job.inFlight;
  let answers = 0;

  async function connect(index: number): Promise<() => void> {
    const list = requests[index % requests.length]!;
    let turn = Math.floor(index / requests.length);
    let sentAt = 0;
    let bodySize = 0;
    const connection: HttpConnection = await openHttp(job.target.host, job.target.port, {
      onBody: (chunk, start, end, offset) => {
        bodySize = offset + end - start;
        if (expected && !matches(expected, chunk, start, end, offset))
          fail(`another body than expected, in its bytes ${offset} to ${bodySize}`);
      },
      onAnswer: (status) => {
        if (status !== job.expectedStatus) fail(`an answer with status ${status}`);
        if (expected && bodySize !== expected.length) fail(`a body of ${bodySize} bytes`);
        answers++;
        if (watch.lap(performance.now() - sentAt)) send();
        else {
          connection.close();
          if (--waiting === 0) outcome.succeed();
        }
      },
      onClose: fail,
    });
    function send(): void {
      sentAt = performance.now();
      connection.send(list[turn++ % list.length]!);
    }
    return send;
  }

  const starts = await Promise.all(Array.from({ length: job.inFlight }, (_, index) => connect(index)));
  for (const start of starts) start();
  await outcome.settled(() => answers);
  await listeners?.heardByAll(listeners.firstNumber + answers);
  outcome.check();
  listeners?.close();
  return { ...watch.result(), deliveries: listeners?.deliveries() ?? 0 };
}

/** Compares a chunk of a body with the same part of the expected body. */
function matches(expected: Buffer, chunk: Buffer, start: number, end: number, offset: number): boolean {
  const upTo = offset + end - start;
  return upTo <= expected.length && expected.compare(chunk, start, end, offset, upTo) === 0;
}
