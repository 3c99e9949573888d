// Aligns rows in columns, for people to read in a terminal.

/** Returns one line per row; every column but the last is as wide as its longest entry. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((entry, column) => {
      widths[column] = Math.max(widths[column] ?? 0, entry.length);
    });
  }
  return rows.map((row) =>
    row
      .map((entry, column) => entry.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
