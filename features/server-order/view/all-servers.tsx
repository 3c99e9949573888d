// The end of the strip of servers: where there are many, a button that opens the list of all.
import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { following, laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "../../servers/view/server-tabs.module.css";
import type { StripProps } from "../../servers/view/slots.ts";

const ServerList = laterWithKeys(async () => (await import("./server-list.tsx")).ServerList);
const StripHand = following(async () => (await import("./strip-hand.tsx")).StripHand);

export function AllServers(props: StripProps) {
  const { servers: words } = useWords();
  const [isOpen, setOpen] = useState(false);
  const [beyond, setBeyond] = useState(0);
  const countId = useId();
  return (
    <>
      {props.isMany && (
        <span className={styles.all}>
          <IconButton
            label={words.all}
            icon={ChevronDown}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            aria-describedby={beyond > 0 ? countId : undefined}
            onClick={() => setOpen(true)}
          />
          {beyond > 0 && (
            <span id={countId} className={styles.count}>
              {beyond}
            </span>
          )}
        </span>
      )}
      {isOpen && <ServerList {...props} onClose={() => setOpen(false)} />}
      <StripHand {...props} onBeyond={setBeyond} />
    </>
  );
}
