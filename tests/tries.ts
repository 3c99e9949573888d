// Retries a file that failed beside others by itself, up to twice: one that fails three times in a row has failed.
import { loadavg } from "node:os";
import { type FileResults, failing, type Results } from "./results.ts";

/** With more failed files than this, a busy machine was not the reason, and none is retried. */
const mostFiles = 40;
const mostTries = 3;
/** Time limit of all retries together; a file that has not passed by then has failed. */
const triesMs = 15 * 60_000;

/** The results of all files after their last try, and the lines to print about those that were retried. */
interface Verdict {
  results: Results;
  lines: readonly string[];
}

/**
 * @param tryAlone runs one file with nothing else beside it
 * @param now milliseconds of a monotonic clock
 */
export async function tryAgain(
  first: Results,
  tryAlone: (path: string) => Promise<FileResults>,
  now = () => performance.now(),
): Promise<Verdict> {
  const suspects = failing(first);
  if (suspects.length > mostFiles)
    return { results: first, lines: suspects.map((path) => failedLine(path, 1, first)) };
  const results = new Map(first);
  const lines: string[] = [];
  const end = now() + triesMs;
  for (const path of suspects) {
    const load = loadavg()[0]!.toFixed(1);
    let tries = 1;
    while (tries < mostTries && failing(results).includes(path) && now() < end) {
      tries++;
      results.set(path, await tryAlone(path));
    }
    lines.push(
      failing(results).includes(path)
        ? failedLine(path, tries, results)
        : `needed ${tries} tries  ${path}  ${reason(path, first)}  (load ${load})`,
    );
  }
  return { results, lines };
}

function failedLine(path: string, tries: number, results: Results): string {
  return `Failed ${tries} times  ${path}  ${reason(path, results)}`;
}

function reason(path: string, results: Results): string {
  const [failure] = results.get(path)?.failures ?? [];
  return failure ? `"${failure.test}"  ${failure.why}` : "";
}
