// The dialogs that create, change and delete a channel.
import { useId, useState } from "react";
import { useLocation } from "wouter";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { touched } from "../../../web/ui/browser/touched.ts";
import { RadioGroup } from "../../../web/ui/controls/radio-group.tsx";
import { TextField } from "../../../web/ui/controls/text-field.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { useServer } from "../../../web/ui/session/house.tsx";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { useInstance } from "../../instance/view/instance.ts";
import { createChannel, deleteChannel, updateChannel } from "../calls.ts";
import type { OwnChannel } from "../state.ts";
import { byCategory } from "./order.ts";

interface CreateProps {
  server: OwnServer;
  category: string | null;
  onClose(): void;
}

export function CreateChannel({ server, category: given, onClose }: CreateProps) {
  const { channels: words } = useWords();
  const act = useAct();
  const [, navigate] = useLocation();
  const hasVoice = useInstance()?.features.voice ?? false;
  const [type, setType] = useState<OwnChannel["type"]>("text");
  const [name, setName] = useState("");
  const [category, setCategory] = useState(given ?? "");

  async function create() {
    const isDone = await act.run(async () => {
      const last = Math.max(0, ...Array.from(server.channels.values(), ({ position }) => position));
      const position = Math.min(last + 1, limits.position_max);
      const body = {
        server_id: server.id,
        name: name.trim(),
        type,
        category: category.trim() || null,
        position,
      };
      const channel = await createChannel({ body });
      if (channel.type === "text") navigate(paths.channel(channel), { state: { isFromHere: true } });
    });
    if (isDone) onClose();
  }

  return (
    <FormDialog
      title={words.create}
      button={words.create}
      act={act}
      disabledBecause={name.trim() === "" ? words.nameFirst : undefined}
      onSend={create}
      onClose={onClose}
    >
      {hasVoice && (
        <RadioGroup<OwnChannel["type"]>
          label={words.type}
          as="list"
          value={type}
          options={[
            { value: "text", ...words.types.text },
            { value: "voice", ...words.types.voice },
          ]}
          onChange={(next) => setType(next)}
        />
      )}
      <NameAndCategory
        server={server}
        name={name}
        category={category}
        problem={fieldProblem(act.error, "name")}
        onName={setName}
        onCategory={setCategory}
      />
    </FormDialog>
  );
}

export function EditChannel({ channel, onClose }: { channel: OwnChannel; onClose(): void }) {
  const { channels: words } = useWords();
  const act = useAct();
  const server = useServer(channel.server_id);
  const [before] = useState({ name: channel.name, category: channel.category ?? "" });
  const [name, setName] = useState(before.name);
  const [category, setCategory] = useState(before.category);
  if (!server) return null;

  async function save() {
    const all = { name: name.trim(), category: category.trim() || null };
    const body = touched(all, { name, category }, before);
    if (await act.run(() => updateChannel({ params: { id: channel.id }, body }))) onClose();
  }

  return (
    <FormDialog
      title={words.editTitle(channel.name)}
      button={words.save}
      act={act}
      disabledBecause={name.trim() === "" ? words.nameFirst : undefined}
      onSend={save}
      onClose={onClose}
    >
      <NameAndCategory
        server={server}
        name={name}
        category={category}
        problem={fieldProblem(act.error, "name")}
        onName={setName}
        onCategory={setCategory}
      />
    </FormDialog>
  );
}

interface NameProps {
  server: OwnServer;
  name: string;
  category: string;
  problem: string | undefined;
  onName(name: string): void;
  onCategory(category: string): void;
}

function NameAndCategory({ server, name, category, problem, onName, onCategory }: NameProps) {
  const { channels: words } = useWords();
  const id = useId();
  const categories = byCategory(server.channels).flatMap(([each]) => each ?? []);
  return (
    <>
      <TextField
        label={words.name}
        value={name}
        maxLength={limits.channel_name_max}
        problem={problem}
        autoComplete="off"
        autoFocus
        onChange={onName}
      />
      <TextField
        label={words.category}
        hint={words.categoryHint}
        value={category}
        maxLength={limits.category_max}
        autoComplete="off"
        list={id}
        onChange={onCategory}
      />
      <datalist id={id}>
        {categories.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}

export function DeleteChannel({ channel, onClose }: { channel: OwnChannel; onClose(): void }) {
  const { channels: words } = useWords();
  return (
    <Confirm
      title={words.deleteTitle(channel.name)}
      button={words.delete}
      onConfirm={() => deleteChannel({ params: { id: channel.id } })}
      onClose={onClose}
    >
      <p>{channel.type === "text" ? words.deleteLead : words.deleteVoiceLead}</p>
    </Confirm>
  );
}
