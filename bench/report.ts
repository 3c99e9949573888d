// Turns figures into verdicts, a table for people, and a file for comparing runs.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "./machine.ts";

/** One line of the table. A line without a target explains the others. */
export interface Row {
  workload: string;
  figure: string;
  value: number;
  unit: string;
  target?: { atLeast: number } | { atMost: number } | { below: number };
  /** The figure of the reference in the same run; `ratio` is the figure divided by it. */
  reference?: number;
  ratio?: number;
  /** The ratios of the rounds, from the lowest to the highest. */
  spread?: readonly [number, number];
  /** True if the target is for the ratio instead of the value. */
  targetIsRatio?: boolean;
}

/** The measurements of a workload. The raw data is stored in the file, for questions about a figure. */
export interface Findings {
  rows: Row[];
  /** A separate table, where one row for each figure would be unreadable; printed before the rows. */
  table?: string;
  /** The share of a core that other programs used meanwhile; left out where it does not matter. */
  othersBusy?: number;
  raw: unknown;
}

export function verdict(row: Row): "met" | "missed" | "" {
  if (!row.target) return "";
  const figure = row.targetIsRatio ? row.ratio! : row.value;
  const met =
    "atLeast" in row.target
      ? figure >= row.target.atLeast
      : "atMost" in row.target
        ? figure <= row.target.atMost
        : figure < row.target.below;
  return met ? "met" : "missed";
}

export function table(rows: Row[], judged: boolean): string {
  const header = [
    "workload",
    "figure",
    "measured",
    "target",
    "reference",
    "ratio",
    "of the rounds",
    judged ? "verdict" : "",
  ];
  const cells = rows.map((row) => [
    row.workload,
    row.figure,
    `${short(row.value)} ${row.unit}`.trim(),
    targetText(row),
    row.reference === undefined ? "" : short(row.reference),
    Number.isFinite(row.ratio) ? row.ratio!.toFixed(2) : "",
    row.spread?.every(Number.isFinite) ? row.spread.map((ratio) => ratio.toFixed(2)).join("–") : "",
    judged ? verdict(row) : "",
  ]);
  return inColumns(header, cells, "  ");
}

/** Pads columns to their longest entry. With `|` between them the table is valid Markdown. */
export function inColumns(header: string[], cells: string[][], between: "  " | " | "): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => line[column]!.length)),
  );
  return [header, widths.map((width) => "-".repeat(width)), ...cells]
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join(between))
    .map((line) => (between === "  " ? line.trimEnd() : `| ${line} |`))
    .join("\n");
}

export function writeResults(machine: Machine, scale: unknown, findings: Findings[]): string {
  const folder = join(import.meta.dir, "results");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${machine.date.replaceAll(":", "-")}.json`);
  const rows = findings.flatMap((finding) => finding.rows);
  const judged = rows.map((row) => ({ ...row, verdict: verdict(row) }));
  const raw = findings.map((finding) => finding.raw);
  writeFileSync(file, `${JSON.stringify({ machine, scale, rows: judged, raw }, undefined, 2)}\n`);
  return file;
}

function targetText({ target, targetIsRatio }: Row): string {
  if (!target) return "";
  const what = targetIsRatio ? " × reference" : "";
  if ("atLeast" in target) return `≥ ${short(target.atLeast)}${what}`;
  if ("atMost" in target) return `≤ ${short(target.atMost)}${what}`;
  return `< ${short(target.below)}`;
}

export function short(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}
