// Texts of uploads, in English.
import type { FileProblem } from "../../../client/uploads.ts";

const problems: Readonly<Record<Exclude<FileProblem, "too big">, string>> = {
  type: "Files of this type are not taken. A zip file is.",
  empty: "The file is empty.",
  name: "Its name is too long.",
};

export const english = {
  files: "Files to send",
  drop: "Drop files to attach them",
  waiting: "Waits for the others",
  progress: ({ sent, all }: { sent: string; all: string }) => `${sent} of ${all}`,
  sending: (name: string) => `Upload of ${name}`,
  cancel: (name: string) => `Cancel the upload of ${name}`,
  remove: (name: string) => `Remove ${name}`,
  tryAgain: (name: string) => `Send ${name} again`,
  unreachable: "Not sent: no connection.",
  /** Only the open page holds the file; a reload loses it. */
  notLoaded:
    "Not sent: this part of the page did not load. Try again, or reload the page and choose the file again.",
  /** The server's own sentence is the most specific. */
  refused: ({ message }: { code: string; message: string }) => message,
  failed: (why: string) => `Not sent. ${why}`,
  tooBig: (size: string, most: string) => `Too big: ${size}. The limit is ${most}.`,
  problem: (problem: Exclude<FileProblem, "too big">): string => problems[problem],
  tooMany: (most: number, left: number) =>
    `A message takes ${most} files. ${left === 1 ? "One was" : `${left} were`} left out.`,
  noFolders: "Folders cannot be sent. A zip file can.",
};
