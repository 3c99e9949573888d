// The figures of a server's /metrics, by name and labels.

/** Milliseconds: the page is cached for a second, plus a margin for clocks that differ. */
const keptMs = 1100;

/** Returns current figures: waits until no cached page is left. */
export async function freshMetrics(url: string): Promise<Map<string, number>> {
  await Bun.sleep(keptMs);
  return figuresIn(await (await fetch(`${url}/metrics`)).text());
}

export function figuresIn(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}
