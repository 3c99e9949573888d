// The dialog that opens the conversation with one person, or begins a group of several.
import { useState } from "react";
import { limits } from "../../../protocol/limits.ts";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import styles from "./people-dialog.module.css";
import { useOpen } from "./use-open.ts";
import { Who } from "./who.tsx";

/** The reader is one of the group. */
const mostOthers = limits.group_people_max - 1;
const nobody: readonly string[] = [];

export function NewConversation({ onClose }: { onClose(): void }) {
  const { direct: words } = useWords();
  const [chosen, setChosen] = useState<readonly User[]>([]);
  const act = useAct();
  const open = useOpen();
  const isFull = chosen.length >= mostOthers;
  const start = (signal: AbortSignal) =>
    open(
      chosen.map(({ id }) => id),
      signal,
    );
  return (
    <FormDialog
      title={words.create}
      button={words.start}
      act={act}
      isSlim
      disabledBecause={chosen.length === 0 ? words.nobodyChosen : undefined}
      note={isFull ? words.groupFull(mostOthers) : undefined}
      onSend={() => void act.run(start, onClose)}
      onClose={onClose}
    >
      <Who
        chosen={chosen}
        there={nobody}
        isGroup={chosen.length > 0}
        hasRoom={!isFull && !chosen.some(({ bot }) => bot)}
        onChange={(people) => {
          act.forget();
          setChosen(people);
        }}
      />
      <p className={styles.hint}>{words.startLead}</p>
    </FormDialog>
  );
}
