// Hostile texts: their parsing time against ordinary text in the engines of Safari and Chromium, and drawing time.
import { join } from "node:path";
import { measureDrawing } from "../hostile/drawing.ts";
import type { Scale } from "../options.ts";
import type { Findings, Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";

const workload = "hostile";
const mostTimes = 8;
const mostUs = 10_000;
const mixtures = 1500;
const mostMsEach = 25_000;
const shownLetters = 60;

interface Measured {
  ordinaryUs: number;
  read: number;
  worst: { text: string; us: number };
}

export async function measureHostile(scale: Scale, logLevel?: string): Promise<Findings> {
  const read = await measureReading(scale);
  const drawn = await measureDrawing(scale, logLevel);
  return {
    rows: [read, ...drawn].flatMap(({ rows }) => rows),
    table: [read, ...drawn].map(({ table }) => table).join("\n\n"),
    raw: { workload, read: read.raw, drawn: drawn.map(({ raw }) => raw) },
  };
}

async function measureReading({ smoke }: Scale): Promise<Findings> {
  using scratch = scratchFolder();
  const outdir = scratch.path;
  const entrypoints = [join(import.meta.dir, "../hostile/reader.ts")];
  await Bun.build({ entrypoints, outdir, target: "node" });
  const engines = { JavaScriptCore: process.execPath, V8: Bun.which("node") };
  const rows: Row[] = [];
  const lines: string[] = [];
  const raw: Record<string, Measured> = {};
  for (const [engine, program] of Object.entries(engines)) {
    if (!program) continue;
    const args = smoke ? ["10", "500"] : [`${mixtures}`, `${mostMsEach}`];
    const running = Bun.spawn([program, join(outdir, "reader.js"), ...args], { stderr: "inherit" });
    const said = await new Response(running.stdout).text();
    if ((await running.exited) !== 0) throw new Error(`the reader failed in ${engine}`);
    const measured = JSON.parse(said) as Measured;
    raw[engine] = measured;
    rows.push(...rowsOf(engine, measured));
    lines.push(`${engine}: ${JSON.stringify(measured.worst.text.slice(0, shownLetters))}`);
  }
  return { rows, table: `The dearest texts begin so:\n${lines.join("\n")}`, raw };
}

function rowsOf(engine: string, { ordinaryUs, read, worst }: Measured): Row[] {
  const figure = `the dearest of ${read} texts in ${engine}, processor time`;
  const of = { workload, figure, unit: "µs", value: worst.us };
  const ratio = worst.us / ordinaryUs;
  return [
    { ...of, target: { atMost: mostUs } },
    { ...of, reference: ordinaryUs, ratio, target: { atMost: mostTimes }, targetIsRatio: true },
  ];
}
