// The dialog that creates a channel: its kind, name and category, and who can see it.
import { Hash, Volume2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { Checkbox } from "../../../web/ui/controls/checkbox.tsx";
import { RadioGroup } from "../../../web/ui/controls/radio-group.tsx";
import { TextField } from "../../../web/ui/controls/text-field.tsx";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { useInstance } from "../../instance/view/instance.ts";
import type { Member } from "../../members/contract.ts";
import { useAllMembers } from "../../members/view/settings-list.ts";
import { roleHolder } from "../../roles/state.ts";
import { useStanding } from "../../roles/view/standing.ts";
import { createChannel } from "../calls.ts";
import type { OwnChannel } from "../state.ts";
import { CategoryChoice } from "./category-choice.tsx";
import { countSeers, privateOverrides } from "./seers.ts";
import styles from "./who-sees.module.css";
import { WhoSees } from "./who-sees.tsx";

interface Props {
  server: OwnServer;
  category: string | null;
  onClose(): void;
}

export function CreateChannel({ server, category: given, onClose }: Props) {
  const { channels: words } = useWords();
  const act = useAct();
  const [, navigate] = useLocation();
  const [type, setType] = useState<OwnChannel["type"]>("text");
  const [name, setName] = useState("");
  const [category, setCategory] = useState(given ?? "");
  const sight = usePrivate(server);

  async function create(signal: AbortSignal) {
    const from = location.pathname;
    const last = Math.max(0, ...Array.from(server.channels.values(), ({ position }) => position));
    const channel = await createChannel({
      body: {
        server_id: server.id,
        name: name.trim(),
        type,
        category: category.trim() || null,
        position: Math.min(last + 1, limits.position_max),
        ...(sight.overrides && { overrides: sight.overrides }),
      },
    });
    // Readers who have cancelled, or gone elsewhere meanwhile, stay where they are.
    if (channel.type === "text" && !signal.aborted && location.pathname === from)
      navigate(paths.channel(channel), { state: { isFromHere: true } });
  }

  return (
    <FormDialog
      title={words.create}
      button={words.create}
      act={act}
      disabledBecause={name.trim() === "" ? words.nameFirst : undefined}
      note={sight.note}
      onSend={() => void act.run(create, onClose)}
      onClose={onClose}
    >
      <Kind value={type} onChange={setType} onLeave={onClose} />
      <TextField
        label={words.name}
        sign={type === "voice" ? Volume2 : Hash}
        hint={type === "text" ? words.nameHint : undefined}
        value={name}
        maxLength={limits.channel_name_max}
        problem={fieldProblem(act.error, "name")}
        autoComplete="off"
        autoFocus
        onChange={(typed) => setName(type === "text" ? asName(typed) : typed)}
      />
      <CategoryChoice channels={server.channels} value={category} onChange={setCategory} />
      {sight.choice}
    </FormDialog>
  );
}

/** Names of text channels have no capitals and no spaces. */
function asName(typed: string): string {
  return typed.toLowerCase().replace(/\s+/g, "-");
}

interface KindProps {
  value: OwnChannel["type"];
  onChange(type: OwnChannel["type"]): void;
  /** Called when a link leads elsewhere. */
  onLeave(): void;
}

/** Only people who can set voice up are told of it while it is not set up. */
function Kind({ value, onChange, onLeave }: KindProps) {
  const { channels: words, parts } = useWords();
  const hasVoice = useInstance()?.features.voice ?? false;
  const isAdmin = useCopy(({ user }) => user.instance_role !== "member");
  if (!hasVoice && !isAdmin) return null;
  const way = (
    <>
      {words.needsLiveKit}{" "}
      <Link href={paths.admin("health")} onClick={onLeave}>
        {parts.howToSetUp}
      </Link>
    </>
  );
  const voice = { ...words.types.voice, ...(!hasVoice && { disabledBecause: way }) };
  return (
    <div className={styles.who}>
      <span className={styles.label} aria-hidden="true">
        {words.type}
      </span>
      <RadioGroup<OwnChannel["type"]>
        label={words.type}
        as="cards"
        value={value}
        options={[
          { value: "text", icon: Hash, ...words.types.text },
          { value: "voice", icon: Volume2, ...voice },
        ]}
        onChange={onChange}
      />
    </div>
  );
}

/** The choice whether the channel is private, the overrides that make it so, and how many people see it. */
function usePrivate(server: OwnServer) {
  const { channels: words } = useWords();
  const ownId = useCopy(({ user }) => user.id);
  const standing = useStanding(server);
  const [isPrivate, setPrivate] = useState(false);
  const [roleIds, setRoleIds] = useState<readonly string[]>([]);
  const [members, setMembers] = useState<readonly Member[]>([]);
  const all = useAllMembers(server.id).value;
  const known = all?.hasMore ? undefined : all?.items;
  const everyone = server.roles.find(({ is_default }) => is_default);
  const overrides =
    isPrivate && everyone
      ? privateOverrides(roleHolder(ownId, server, server.role_ids), everyone.id, {
          roleIds,
          memberIds: members.map(({ user }) => user.id),
        })
      : undefined;
  const choice = (
    <>
      <Checkbox
        label={words.privateChannel}
        hint={words.privateHint}
        isOn={isPrivate}
        disabledBecause={standing.rank === 0 ? words.noRank : undefined}
        onChange={setPrivate}
      />
      {isPrivate && (
        <WhoSees
          server={server}
          roleIds={roleIds}
          members={members}
          holders={known && holdersAmong(known)}
          onRoles={setRoleIds}
          onMembers={setMembers}
        />
      )}
    </>
  );
  const note = overrides && known ? words.seers(countSeers(server, known, overrides)) : undefined;
  return { choice, overrides, note };
}

function holdersAmong(members: readonly Member[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of members.flatMap(({ role_ids }) => role_ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
