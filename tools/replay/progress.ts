// Shows the progress of a long run on standard error: one rewritten line on a terminal, else a line every 2 s.

interface Progress {
  describe: () => string;
  stop(): void;
}

export function startProgress(): Progress {
  const onTerminal = process.stderr.isTTY === true;
  const progress: Progress = { describe: () => "", stop };
  let shown = "";
  const timer = setInterval(show, onTerminal ? 200 : 2_000);

  function show(): void {
    const line = progress.describe();
    if (line === shown) return;
    shown = line;
    process.stderr.write(onTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  }

  function stop(): void {
    clearInterval(timer);
    show();
    if (onTerminal) process.stderr.write("\n");
  }

  return progress;
}
