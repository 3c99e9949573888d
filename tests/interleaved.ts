// What several runs of the test runner say at the same time, as one text that can be read.

export const isHeader = /^\S+\.test\.tsx?:$/;

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
