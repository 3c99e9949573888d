// Reads from the text of a statement which tables it touches, and which of their columns it gives or compares with values.

interface Touch {
  table: string;
  columns: readonly string[];
}

const tablePattern = /\b(?:from|join|into|update|using) "(\w+)"(?: as "(\w+)")?/g;
const columnPattern = /(?:"(\w+)"\.)?"(\w+)"/g;
const equation = /(?:"(\w+)"\.)?"(\w+)" = "(\w+)"\."(\w+)"/g;

export function touchesOf(statement: string): Touch[] {
  const tables = [...statement.matchAll(tablePattern)].map(([, table = "", alias = table]) => ({
    table,
    alias,
  }));
  const isTable = (name: string) => tables.some(({ table, alias }) => name === table || name === alias);
  // A list of values that is joined tells the shard, and so does a table by a column of the same name: it lies beside it.
  const valued = conditionsOf(statement).replace(
    equation,
    (all, one: string | undefined, column: string, other: string, theirs: string) =>
      (one === undefined || isTable(one)) && isTable(other) && column !== theirs ? "" : all,
  );
  const touches = tables.map(({ table, alias }) => ({
    table,
    columns: namedIn(valued, new Set([table, alias])),
  }));
  return [...new Map(touches.map((touch) => [JSON.stringify(touch), touch])).values()];
}

/** Of an insert the list of its columns, of anything else what follows `where` and `on`, without the order. */
function conditionsOf(statement: string): string {
  const [, inserted] = /^insert into \S+ (\([^)]*\))/.exec(statement) ?? [];
  if (inserted !== undefined) return inserted;
  return statement
    .split(/\b(?=where|on|order by|group by|returning|select|set|limit|from)\b/)
    .filter((part) => /^(where|on)\b/.test(part))
    .join(" ");
}

function namedIn(conditions: string, names: ReadonlySet<string>): string[] {
  const named = new Set<string>();
  for (const [, table, column = ""] of conditions.matchAll(columnPattern))
    if (table === undefined || names.has(table)) named.add(column);
  return [...named].sort();
}
