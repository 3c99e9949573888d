// The bones of the frame: shown while the page of somebody who is signed in is on its way.
import { useEffect, useState } from "react";
import { mayBeSignedIn } from "../ui/session/belongings.ts";
import styles from "./frame-bones.module.css";

/** A faster page shows nothing before. In milliseconds since the browser began to load it. */
const quickMs = 120;

export function FrameBones() {
  const [isSlow, setSlow] = useState(performance.now() > quickMs);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), quickMs);
    return () => clearTimeout(timer);
  }, []);
  // Settings and invites have no such frame; somebody unknown is led to sign in.
  const hasFrame = /^\/(?:$|direct|servers\/(?!.*\/settings))/.test(location.pathname);
  if (!isSlow || !hasFrame || !mayBeSignedIn()) return null;
  return (
    <div aria-hidden="true" className={styles.frame}>
      <div />
      <div />
    </div>
  );
}
