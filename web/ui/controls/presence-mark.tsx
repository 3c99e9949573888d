// The presence of a person, as a shape in a cut-out of the face: a disc, a crescent, a barred disc, a ring.
import type { User } from "../../../features/accounts/contract.ts";
import { classNames } from "../browser/class-names.ts";
import styles from "./presence-mark.module.css";

type PresenceStatus = User["presence"];

/** Shape and colour both show the status; for screen readers it is in the name of the row. */
export function PresenceMark({ status }: { status: PresenceStatus }) {
  return (
    <span className={classNames(styles.mark, styles[status])} aria-hidden="true">
      <svg viewBox="0 0 10 10" role="presentation">
        <Shape status={status} />
      </svg>
    </span>
  );
}

function Shape({ status }: { status: PresenceStatus }) {
  switch (status) {
    case "online":
      return <circle cx="5" cy="5" r="5" fill="currentColor" />;
    case "idle":
      return <path d="M9.7 6.6A5 5 0 1 1 3.4.3a4.1 4.1 0 0 0 6.3 6.3z" fill="currentColor" />;
    case "dnd":
      return (
        <path fillRule="evenodd" d="M5 0a5 5 0 1 0 0 10A5 5 0 0 0 5 0zM2 4h6v2H2z" fill="currentColor" />
      );
    case "offline":
      return <circle cx="5" cy="5" r="3.9" fill="none" stroke="currentColor" strokeWidth="2.1" />;
  }
}
