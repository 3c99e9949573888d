// A list of the console: the search field, the table and the pager.
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry, Field } from "../../../web/ui/controls/entry.tsx";
import { type Column, Table } from "../../../web/ui/controls/table.tsx";
import { Loaded } from "../../../web/ui/session/fetched.tsx";
import { currentLanguage, useWords } from "../../../web/ui/words/words.ts";
import styles from "./list-view.module.css";
import type { PagedList } from "./paged-list.ts";

interface Props<Row> {
  label: string;
  find: string;
  /** Says what the search matches. */
  hint: string;
  list: PagedList<Row>;
  columns: readonly Column<Row>[];
  /** Shown in place of rows when there are none. */
  empty: ReactNode;
}

export function ListView<Row extends { id: string }>(props: Props<Row>) {
  const { label, find, hint, list, columns, empty } = props;
  return (
    <>
      <Field
        label={find}
        hint={hint}
        sign={Search}
        type="search"
        value={list.wanted}
        onChange={(event) => list.want(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <Entry label={label}>
        <Loaded of={list.asked}>
          {({ items }) =>
            items.length === 0 ? (
              <p role="status" className={styles.empty}>
                {empty}
              </p>
            ) : (
              <>
                <Table label={label} columns={columns} rows={items} />
                <Pager list={list} count={items.length} />
              </>
            )
          }
        </Loaded>
      </Entry>
    </>
  );
}

function Pager<Row>({ list, count }: { list: PagedList<Row>; count: number }) {
  const { administration: words } = useWords();
  const { earlier, later, firstPlace } = list;
  const number = new Intl.NumberFormat(currentLanguage());
  // A list of one page is seen whole.
  return (
    <div className={earlier || later ? styles.pager : "visually-hidden"}>
      <span role="status">
        {words.span(number.format(firstPlace), number.format(firstPlace + count - 1))}
      </span>
      {(earlier || later) && (
        <div className={styles.turns}>
          <Button isSmall disabledBecause={earlier ? undefined : words.noEarlier} onClick={earlier}>
            {words.earlier}
          </Button>
          <Button isSmall disabledBecause={later ? undefined : words.noLater} onClick={later}>
            {words.later}
          </Button>
        </div>
      )}
    </div>
  );
}
