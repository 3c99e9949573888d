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

/** A field with such a link, and what to do if others cannot open it. */
export function LinkField({ value, ...field }: ComponentProps<typeof CopyField>) {
  const url = useHandedOut()(value);
  return (
    <div className={styles.link}>
      <CopyField {...field} value={url} />
      <ThisComputerOnly url={url} />
    </div>
  );
}

/**
 * A line where others cannot open a link that is handed out. The address of a Hearth is set where it is started, so the
 * page can only say how.
 */
export function ThisComputerOnly({ url }: { url: string }) {
  const { instance: words, parts } = useWords();
  if (!isLoopback(new URL(url).hostname)) return null;
  return (
    <div className={styles.here}>
      <p>{words.thisComputerOnly}</p>
      <details>
        <summary>{parts.howToSetUp}</summary>
        <p>{words.foundByName}</p>
        <code>PUBLIC_URL=https://chat.example.org</code>
        <p>{words.foundAtHome(location.port && `:${location.port}`)}</p>
        <code>HOST=0.0.0.0</code>
      </details>
    </div>
  );
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}
