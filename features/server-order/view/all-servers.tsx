// The end of the strip of servers: what hands do with it and, where there are many, the button of the list of all.
import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "../../servers/view/server-tabs.module.css";
import type { StripProps } from "../../servers/view/slots.ts";
import { useStripHand } from "./strip-hand.ts";

const ServerList = laterWithKeys(async () => (await import("./server-list.tsx")).ServerList);

export function AllServers(props: StripProps) {
  const { serverOrder: words, parts } = useWords();
  const [isOpen, setOpen] = useState(false);
  const countId = useId();
  const mentions = useStripHand(props);
  return (
    <>
      {props.isMany && (
        <IconButton
          label={words.all}
          icon={ChevronDown}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-describedby={mentions > 0 ? countId : undefined}
          onClick={() => setOpen(true)}
        />
      )}
      {props.isMany && mentions > 0 && (
        <>
          <span className={styles.count} aria-hidden="true">
            {mentions}
          </span>
          <span id={countId} hidden>
            {parts.mentions(mentions)}
          </span>
        </>
      )}
      {isOpen && <ServerList {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
