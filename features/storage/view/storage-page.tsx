// The storage page: a bar of the disk, and each part as a figure.

import { classNames } from "../../../web/ui/browser/class-names.ts";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { byteSize, sizeParts } from "../../../web/ui/words/sizes.ts";
import { currentLanguage, useWords } from "../../../web/ui/words/words.ts";
import { useTitle } from "../../instance/view/title.ts";
import { getStorage } from "../calls.ts";
import type { Storage } from "../contract.ts";
import styles from "./storage-page.module.css";

interface Part {
  id: "uploads" | "database" | "pictures" | "free";
  name: string;
  bytes: number;
  note: string;
}

const ask = (signal: AbortSignal) => getStorage({}, signal);

export function StoragePage() {
  const { storage: words } = useWords();
  useTitle(words.storage);
  const asked = useFetched(ask);
  const parts = usePartsOf(asked.value);
  const used = parts.filter(({ id }) => id !== "free").reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <SettingsPage
      title={words.storage}
      lead={asked.value && words.lead(byteSize(used), byteSize(asked.value.free_bytes))}
    >
      <Entry label={<span className={styles.flush}>{words.disk}</span>}>
        <Loaded of={asked}>{() => <Bar parts={parts} />}</Loaded>
      </Entry>
      {parts.map((part) => (
        <Figure key={part.id} part={part} />
      ))}
    </SettingsPage>
  );
}

function usePartsOf(storage: Storage | undefined): readonly Part[] {
  const { storage: words } = useWords();
  if (!storage) return [];
  const { uploads_bytes, uploads_count, database_bytes, pictures_bytes, free_bytes } = storage;
  const count = new Intl.NumberFormat(currentLanguage()).format(uploads_count);
  return [
    {
      id: "uploads",
      name: words.uploads,
      bytes: uploads_bytes,
      note: words.uploadsNote(count, uploads_count === 1),
    },
    { id: "database", name: words.database, bytes: database_bytes, note: words.databaseNote },
    { id: "pictures", name: words.pictures, bytes: pictures_bytes, note: words.picturesNote },
    { id: "free", name: words.free, bytes: free_bytes, note: words.freeNote },
  ];
}

/** Hidden from screen readers, as it only repeats the figures. */
function Bar({ parts }: { parts: readonly Part[] }) {
  const filled = parts.filter(({ bytes }) => bytes > 0);
  return (
    <div aria-hidden="true">
      <div className={styles.bar}>
        {filled.map(({ id, bytes }) => (
          <span key={id} className={classNames(styles.piece, styles[id])} style={{ "--share": bytes }} />
        ))}
      </div>
      <ul className={styles.legend}>
        {parts.map(({ id, name, bytes }) => (
          <li key={id}>
            <i className={styles[id]} />
            {name} <span>{byteSize(bytes)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Figure({ part: { name, bytes, note } }: { part: Part }) {
  const { number, unit } = sizeParts(bytes);
  return (
    <Entry label={<span className={styles.ofFigure}>{name}</span>}>
      <p className={styles.figure}>
        <span>
          <b>{number}</b> {unit}
        </span>
        <small>{note}</small>
      </p>
    </Entry>
  );
}
