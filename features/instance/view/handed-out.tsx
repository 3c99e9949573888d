// Links for other people: they begin with the public address, and a field shows one to copy.
import type { ComponentProps } from "react";
import { CopyField } from "../../../web/ui/controls/copy-field.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./handed-out.module.css";
import { useInstance } from "./instance.ts";

/**
 * Returns a function that makes a link from the server one that others can open. A server without a public address
 * knows only where it listens; the page knows the address that its reader used.
 */
export function useHandedOut(): (url: string) => string {
  const isToldNone = useInstance()?.public_url === null;
  return (url) => {
    if (!isToldNone) return url;
    const { pathname, hash } = new URL(url);
    return location.origin + pathname + hash;
  };
}

/** A field with such a link, and a warning if others cannot open it. */
export function LinkField({ value, ...field }: ComponentProps<typeof CopyField>) {
  const { parts: words } = useWords();
  const url = useHandedOut()(value);
  return (
    <div className={styles.link}>
      <CopyField {...field} value={url} />
      {isLoopback(new URL(url).hostname) && <p className={styles.here}>{words.thisComputerOnly}</p>}
    </div>
  );
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}
