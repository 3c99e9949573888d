// The card of a file that cannot be shown or played here: name, size and download.
import {
  Download,
  File,
  FileArchive,
  FileMusic,
  FileText,
  FileVideoCamera,
  type LucideIcon,
} from "lucide-react";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { byteSize } from "../../../web/ui/words/sizes.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Attachment } from "../contract.ts";
import styles from "./attachments.module.css";

const icons: readonly [RegExp, LucideIcon][] = [
  [/^text\/|json|pdf|document/, FileText],
  [/zip|tar|compressed|gzip/, FileArchive],
  [/^audio\//, FileMusic],
  [/^video\//, FileVideoCamera],
];

export function FileCard({ file }: { file: Attachment }) {
  const { files: words } = useWords();
  const icon = icons.find(([pattern]) => pattern.test(file.content_type))?.[1] ?? File;
  return (
    <div className={styles.card}>
      <Icon of={icon} size={22} />
      <div className={styles.text}>
        <b title={file.name}>{file.name}</b>
        <span>{byteSize(file.size)}</span>
      </div>
      <a
        href={file.url}
        download={file.name}
        aria-label={words.downloadFile(file.name)}
        title={words.download}
        className={styles.download}
      >
        <Icon of={Download} />
      </a>
    </div>
  );
}
