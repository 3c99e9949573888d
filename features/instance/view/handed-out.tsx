// Links that are handed out: they begin with the address that people use, and a field shows one to take along.
import type { ComponentProps } from "react";
import { CopyField } from "../../../web/ui/controls/copy-field.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./handed-out.module.css";
import { useInstance } from "./instance.ts";

/**
 * Returns what makes a link of the server's one that others can open. A server that was told no address for people knows
 * only where it listens; the page knows how its reader came here.
 */
export function useHandedOut(): (url: string) => string {
  const isToldNone = useInstance()?.public_url === null;
  return (url) => {
    if (!isToldNone) return url;
    const { pathname, hash } = new URL(url);
    return location.origin + pathname + hash;
  };
}

/** Such a link in a field of its own. One that others cannot open says so. */
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
