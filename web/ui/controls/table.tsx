// A table whose rows become cards on a narrow frame.
import type { ReactNode } from "react";
import { classNames } from "../browser/class-names.ts";
import styles from "./table.module.css";

export interface Column<Row> {
  id: string;
  name: string;
  /** The name is for screen readers only, as for a column of menus. */
  isUnnamed?: boolean;
  isNumber?: boolean;
  cell(row: Row): ReactNode;
}

interface Props<Row> {
  label: string;
  /** The first column is the subject of the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** The roles are explicit, because a table that is styled as something else loses them in screen readers. */
export function Table<Row extends { id: string }>({ label, columns, rows }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: the styles of cards take away the role that it has by itself.
    <table role="table" aria-label={label} className={styles.table}>
      {/* biome-ignore lint/a11y/noRedundantRoles: as above. */}
      <thead role="rowgroup">
        {/* biome-ignore lint/a11y/noRedundantRoles: as above. */}
        <tr role="row">
          {columns.map(({ id, name, isUnnamed, isNumber }) => (
            // biome-ignore lint/a11y/noRedundantRoles: as above.
            <th key={id} role="columnheader" scope="col" className={classNames(isNumber && styles.number)}>
              <span className={classNames(isUnnamed && "visually-hidden")}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/noRedundantRoles: as above. */}
      <tbody role="rowgroup">
        {rows.map((row) => (
          // biome-ignore lint/a11y/noRedundantRoles: as above.
          <tr key={row.id} role="row">
            {columns.map((column) => (
              <Cell key={column.id} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column: { name, isUnnamed, isNumber, cell }, row }: { column: Column<Row>; row: Row }) {
  const content = cell(row);
  return (
    <td
      // biome-ignore lint/a11y/noRedundantRoles: as above.
      role="cell"
      data-name={isUnnamed ? undefined : name}
      className={classNames(isNumber && styles.number, isUnnamed && styles.unnamed)}
    >
      {content}
    </td>
  );
}
