// Merges the output of several concurrent test runs into one readable text.

export const isHeader = /^\S+\.test\.tsx?:$/;

/** Passes on whole lines of several runs. Where another run spoke in between, the file name is repeated first. */
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
