// Two runs of the test runner side by side: files of browsers, of which more at once would get in each other's way, and
// the others, which wait for something most of their time.
import { availableParallelism } from "node:os";

export interface Track {
  /** Files at once. */
  workers: number;
  files: readonly string[];
}

const computes = /^tests\/browser\//;
/** This file adds an interface to the machine's network, at which every browser gives its connections up. */
const disturbs = /^tests\/chaos\/vanished\.test\.ts$/;

/** Tracks that run side by side, then what must run when nothing else does. */
export function stagesOf(
  files: readonly string[],
  msOf: (path: string) => number,
  cores?: number,
): Track[][] {
  const disturbing = files.filter((path) => disturbs.test(path));
  const others = files.filter((path) => !disturbs.test(path));
  return [tracksOf(others, msOf, cores), [{ workers: 1, files: disturbing }]]
    .map((tracks) => tracks.filter((track) => track.files.length > 0))
    .filter((tracks) => tracks.length > 0);
}

/**
 * With more files at once they end hardly sooner, and calls wait so long for each other that servers give them up.
 *
 * One track where no file needs a browser. Otherwise the longest of the other files fill up the track of browsers until
 * both tracks take as long.
 */
function tracksOf(
  files: readonly string[],
  msOf: (path: string) => number,
  cores = availableParallelism(),
): Track[] {
  const browsers = files.filter((path) => computes.test(path));
  if (browsers.length === 0) return [{ workers: cores + 1, files }];
  const tracks = [
    { workers: Math.max(1, cores - 1), files: browsers },
    { workers: cores, files: [] as string[] },
  ] as const;
  const share = ({ workers, files }: Track) => files.reduce((sum, path) => sum + msOf(path), 0) / workers;
  const others = files.filter((path) => !computes.test(path)).sort((one, other) => msOf(other) - msOf(one));
  for (const path of others) {
    const track = share(tracks[0]) < share(tracks[1]) ? tracks[0] : tracks[1];
    track.files.push(path);
  }
  return tracks.filter((track) => track.files.length > 0);
}

const isHeader = /^\S+\.test\.tsx?:$/;

/** Passes on whole lines of several runs, each below the name of the file that its run named last. */
export function interleaved(write: (line: string) => void): () => (chunk: string) => void {
  let speaker: symbol | undefined;
  return () => {
    const self = Symbol();
    let header = "";
    let begun = "";
    return (chunk) => {
      const lines = (begun + chunk).split("\n");
      begun = lines.pop() ?? "";
      for (const line of lines) {
        if (isHeader.test(line)) header = line;
        else if (speaker !== self && header) write(`\n${header}`);
        speaker = self;
        write(line);
      }
    };
  };
}
