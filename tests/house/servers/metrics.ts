// The figures of a server as /metrics tells them, by name and labels.

/** The page's text is kept for a second, and a little is added for clocks that differ. */
const keptMs = 1100;

/** What holds now: waits until no earlier look is repeated. */
export async function freshMetrics(url: string): Promise<Map<string, number>> {
  await Bun.sleep(keptMs);
  return figuresIn(await (await fetch(`${url}/metrics`)).text());
}

export function figuresIn(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}
