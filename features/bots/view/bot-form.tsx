// The form that makes a bot, whose token is then shown once, or changes its name and description.
import { useState } from "react";
import { limits } from "../../../protocol/limits.ts";
import { touched } from "../../../web/ui/browser/touched.ts";
import { TextArea, TextField } from "../../../web/ui/controls/text-field.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { createBot, updateBot } from "../calls.ts";
import type { Bot } from "../contract.ts";

interface Props {
  /** The bot to change; undefined for a new one. */
  bot?: Bot;
  onSaved(bot: Bot): void;
  onToken?(botId: string, token: string): void;
  onClose(): void;
}

export function BotForm({ bot, onSaved, onToken, onClose }: Props) {
  const { bots: words } = useWords();
  const act = useAct();
  const [before] = useState({ name: bot?.name ?? "", description: bot?.description ?? "" });
  const [name, setName] = useState(before.name);
  const [description, setDescription] = useState(before.description);
  async function save() {
    const body = { name, description };
    if (bot) return onSaved(await updateBot({ params: { id: bot.id }, body: touched(body, body, before) }));
    const { token, ...made } = await createBot({ body });
    onSaved(made);
    onToken?.(made.id, token);
  }
  return (
    <FormDialog
      title={bot ? words.editTitle(bot.name) : words.make}
      button={bot ? words.save : words.create}
      act={act}
      disabledBecause={name.trim() === "" ? words.nameFirst : undefined}
      onSend={() => void act.run(save, onClose)}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        value={name}
        maxLength={limits.bot_name_max}
        problem={fieldProblem(act.error, "name")}
        autoFocus
        onChange={setName}
      />
      <TextArea
        label={words.description}
        value={description}
        maxLength={limits.bot_description_max}
        problem={fieldProblem(act.error, "description")}
        onChange={setDescription}
      />
    </FormDialog>
  );
}
