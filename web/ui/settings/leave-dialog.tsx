// Asks about unsaved changes before their page is left.
import { Button } from "../controls/button.tsx";
import { useLeaving } from "../navigation/leaving.ts";
import { Dialog } from "../overlays/dialog.tsx";
import { stopViewing } from "../session/viewed.ts";
import { useWords } from "../words/words.ts";
import styles from "./settings-frame.module.css";

export function LeaveDialog() {
  const { settings: words } = useWords();
  const { isWaiting, leaveNow, stay: stayHere } = useLeaving();
  if (!isWaiting) return null;
  const stay = () => {
    // It was asked for with the step that is not taken.
    stopViewing();
    stayHere();
  };
  return (
    <Dialog title={words.leaveTitle} onClose={stay}>
      <p>{words.leaveLead}</p>
      <div className={styles.answers}>
        <Button kind="danger" onClick={leaveNow}>
          {words.leaveNow}
        </Button>
        <Button kind="primary" autoFocus onClick={stay}>
          {words.stay}
        </Button>
      </div>
    </Dialog>
  );
}
