// Workload of the generator: one poster; every socket must have heard an event before the next is posted.
import { openHttp } from "./http-connection.ts";
import { type FanOutJob, type FanOutResult, numberMark } from "./jobs.ts";
import { openListeners } from "./listeners.ts";
import { createOutcome } from "./outcome.ts";
import { createStopwatch } from "./stopwatch.ts";

/**
 * In lock step each event is published alone, so both servers do one write a delivery; posted faster,
 * events would share writes, and the cost of a delivery would depend on how far the reader lags.
 */
export async function runFanOut(job: FanOutJob): Promise<FanOutResult> {
  const outcome = createOutcome();
  const { fail } = outcome;
  const listeners = await openListeners(job.target, job.listeners, fail);
  const watch = createStopwatch(job.target.pid, job.warmup, job.measured);
  let number = listeners.firstNumber;
  let answered = true;
  let heard = true;
  let sentAt = 0;
  let heardAt = 0;

  const connection = await openHttp(job.target.host, job.target.port, {
    onAnswer: (status) => {
      if (status !== job.expectedStatus) fail(`an answer with status ${status}`);
      answered = true;
      next();
    },
    onClose: fail,
  });

  listeners.onHeardByAll((heardNumber) => {
    if (heardNumber !== number) fail(`event ${heardNumber} was heard by all before event ${number}`);
    heardAt = performance.now();
    heard = true;
    next();
  });

  function next(): void {
    if (!answered || !heard) return;
    if (watch.lap(heardAt - sentAt)) post();
    else outcome.succeed();
  }

  function post(): void {
    answered = false;
    heard = false;
    number++;
    const request = job.requests[number % job.requests.length]!;
    sentAt = performance.now();
    connection.send(Buffer.from(request.replace(numberMark, String(number).padStart(numberMark.length))));
  }

  post();
  await outcome.settled(listeners.deliveries);
  await listeners.heardByAll(number);
  outcome.check();
  connection.close();
  listeners.close();
  const measured = watch.result();
  const deliveries = measured.answers * job.listeners.sockets;
  return { ...measured, deliveries, frame: listeners.lastFrame() };
}
