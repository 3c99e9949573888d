// Records the path of a call through the server's files, as the instrumented functions report it.

export interface Way {
  /** Files in which a function was called; each counts once. */
  files: string[];
  calls: number;
  /** Calls into another file and the returns from them. */
  moves: number;
}

/** The name of the global that instrumented code calls. */
export const recorderName = "__trace";

/** The file index while none of our functions is running. */
const outside = -1;

export class Recorder {
  readonly #paths: readonly string[];
  #way: { files: Set<number>; calls: number; moves: number } | undefined;
  #current = outside;

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  start(): void {
    this.#way = { files: new Set(), calls: 0, moves: 0 };
  }

  stop(): Way {
    const { files, calls, moves } = this.#way ?? { files: new Set<number>(), calls: 0, moves: 0 };
    this.#way = undefined;
    return { files: [...files].map((file) => this.#paths[file] ?? "").sort(), calls, moves };
  }

  /** Runs the body of a function of this file. */
  run<Result>(file: number, body: () => Result): Result {
    const from = this.#current;
    const way = this.#way;
    if (way) {
      way.files.add(file);
      way.calls++;
      if (from !== file) way.moves++;
    }
    this.#current = file;
    try {
      return body();
    } finally {
      this.#current = from;
      if (way && from !== file) way.moves++;
    }
  }

  /** Marks the end of an `await` in this file: the next calls come from it. */
  back<Value>(file: number, value: Value): Value {
    this.#current = file;
    queueMicrotask(() => {
      this.#current = outside;
    });
    return value;
  }
}
