// Parses the text of a statement for its tables, and for the columns that it sets or compares with values.

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
  // A joined list of values determines the shard, and so does a join on columns of one name, which share a shard.
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

/** The column list of an insert; of any other statement, the parts after `where` and `on`. */
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
