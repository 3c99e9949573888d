// A list of the console: the search field, the table and the pager.
import { Search } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
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
      <Seek label={find} hint={hint} list={list} />
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

function Seek<Row>({ label, hint, list }: { label: string; hint: string; list: PagedList<Row> }) {
  const id = useId();
  return (
    <Entry label={<label htmlFor={id}>{label}</label>}>
      <div className={styles.seek}>
        <Icon of={Search} size={16} />
        <input
          id={id}
          type="search"
          aria-describedby={`${id}-hint`}
          value={list.wanted}
          onChange={(event) => list.want(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <p id={`${id}-hint`} className={styles.hint}>
        {hint}
      </p>
    </Entry>
  );
}

function Pager<Row>({ list, count }: { list: PagedList<Row>; count: number }) {
  const { administration: words } = useWords();
  const { earlier, later, firstPlace } = list;
  const number = new Intl.NumberFormat(currentLanguage());
  return (
    <div className={styles.pager}>
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
