// Workload of the generator: one poster; every socket must have received an event before the next is posted.
import { openHttp } from "./http-connection.ts";
import { type FanOutJob, type FanOutResult, numberMark } from "./jobs.ts";
import { type ListenerGroup, openListeners } from "./listeners.ts";
import { createOutcome } from "./outcome.ts";
import { createStopwatch } from "./stopwatch.ts";
import { waitsOf } from "./waits.ts";

/**
 * In lock step each event is published alone, so both servers do one write per delivery; posted faster,
 * events would share writes, and the cost of a delivery would depend on how far the reader lags.
 */
export async function runFanOut(job: FanOutJob): Promise<FanOutResult> {
  const outcome = createOutcome();
  const { fail } = outcome;
  const listeners = await openListeners(job.target, job.listeners, fail);
  const further = job.further && (await openListeners(job.target, job.further, fail));
  const groups = further ? [listeners, further] : [listeners];
  const watch = createStopwatch(job.target.pid, job);
  const added: number[] = [];
  let number = listeners.firstNumber;
  let answered = true;
  let sentAt = 0;
  let heardAt: number[] = [];

  const connection = await openHttp(job.target.host, job.target.port, {
    onAnswer: (status) => {
      if (status !== job.expectedStatus) fail(`an answer with status ${status}`);
      answered = true;
      next();
    },
    onClose: fail,
  });

  groups.forEach((group, index) => {
    group.onHeardByAll((heardNumber) => {
      if (heardNumber !== number) fail(`event ${heardNumber} was heard by all before event ${number}`);
      heardAt[index] = performance.now();
      next();
    });
  });

  function next(): void {
    const [first, second = first] = heardAt;
    if (!answered || first === undefined || second === undefined || heardAt.length < groups.length) return;
    added.push(second - first);
    if (watch.lap(Math.max(first, second) - sentAt)) post();
    else outcome.succeed();
  }

  function post(): void {
    answered = false;
    heardAt = [];
    number++;
    const request = job.requests[number % job.requests.length]!;
    sentAt = performance.now();
    connection.send(Buffer.from(request.replace(numberMark, String(number).padStart(numberMark.length))));
  }

  post();
  await outcome.settled(listeners.deliveries);
  await closeAll(groups, number);
  outcome.check();
  connection.close();
  const measured = watch.result();
  const sockets = job.listeners.sockets + (job.further?.sockets ?? 0);
  return {
    ...measured,
    deliveries: measured.answers * sockets,
    added: waitsOf(added.slice(-measured.answers)),
    frame: listeners.lastFrame(),
  };
}

async function closeAll(groups: readonly ListenerGroup[], number: number): Promise<void> {
  for (const group of groups) await group.heardByAll(number);
  for (const group of groups) group.close();
}
