// The dialog that renames a category, in all its channels that the reader may manage.
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { TextField } from "../../../web/ui/controls/text-field.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { updateChannel } from "../calls.ts";
import { mayManage } from "./creating.ts";
import { channelsOfCategory } from "./of-category.ts";

interface Props {
  server: OwnServer;
  name: string;
  onClose(): void;
}

export function RenameCategory({ server, name, onClose }: Props) {
  const { channels: words } = useWords();
  const act = useAct();
  const [next, setNext] = useState(name);
  async function rename() {
    const some = channelsOfCategory(server, name).filter(mayManage);
    for (const { id } of some) await updateChannel({ params: { id }, body: { category: next.trim() } });
  }
  return (
    <FormDialog
      title={words.renameCategory(name)}
      button={words.rename}
      act={act}
      disabledBecause={next.trim() === "" ? words.nameFirst : undefined}
      onSend={() => void act.run(rename, onClose)}
      onClose={onClose}
    >
      <TextField
        label={words.nameOfCategory}
        value={next}
        maxLength={limits.category_max}
        problem={fieldProblem(act.error, "category")}
        autoComplete="off"
        autoFocus
        onChange={setNext}
      />
    </FormDialog>
  );
}
