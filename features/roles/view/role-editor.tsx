// The editor of one role: its name, its colour, and its permissions.
import { Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { type PermissionName, permission } from "../../../protocol/permissions.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { ColourChoice } from "../../../web/ui/controls/colour-choice.tsx";
import { Entry, Field } from "../../../web/ui/controls/entry.tsx";
import { Switch } from "../../../web/ui/controls/switch.tsx";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { deleteRole } from "../calls.ts";
import type { Role } from "../contract.ts";
import { plainColor } from "../state.ts";
import { discardRole, type EditedField, type RolesDraft, roleKey } from "./roles-draft.ts";
import styles from "./settings-roles.module.css";
import type { OwnStanding } from "./standing.ts";

interface Props {
  server: OwnServer;
  standing: OwnStanding;
  role: Role;
  /** True if the reader has just created the role, and names it next. */
  isNew: boolean;
  draft: RolesDraft;
  /** The people who hold the role. */
  people: ReactNode;
}

/** The permissions in display order: reading and writing, moderation, administration, voice, all. */
const rights: readonly PermissionName[] = [
  "VIEW_CHANNEL",
  "SEND_MESSAGES",
  "MANAGE_MESSAGES",
  "KICK_MEMBERS",
  "BAN_MEMBERS",
  "MANAGE_CHANNELS",
  "MANAGE_SERVER",
  "CONNECT_VOICE",
  "SPEAK_VOICE",
  "SHARE_SCREEN",
  "ADMINISTRATOR",
];

export function RoleEditor(props: Props) {
  const { roles: words } = useWords();
  const { role, isNew, standing, draft, people } = props;
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isNew) return;
    name.current?.focus();
    name.current?.select();
  }, [isNew]);
  const isAbove = !role.is_default && role.position >= standing.rank;
  const isChanged = (field: EditedField) => draft.changed.has(roleKey(role, field));
  const why = isAbove ? words.above : undefined;
  return (
    <>
      {isAbove && (
        <Entry>
          <p className={styles.note}>{words.above}</p>
        </Entry>
      )}
      <Field
        ref={name}
        label={words.name}
        value={String(draft.values[roleKey(role, "name")])}
        maxLength={limits.role_name_max}
        readOnly={role.is_default || isAbove}
        hint={role.is_default ? words.everyoneName : undefined}
        problem={isChanged("name") ? fieldProblem(draft.error, "name") : undefined}
        isChanged={isChanged("name")}
        onChange={(event) => draft.set(roleKey(role, "name"), event.target.value)}
      />
      <Entry label={words.colour} isChanged={isChanged("color")}>
        <Colour role={role} draft={draft} why={why} />
      </Entry>
      <Rights {...props} why={why} isChanged={rights.some(isChanged)} />
      {people}
      {!role.is_default && !isAbove && (
        <Entry>
          <DeleteRole role={role} draft={draft} />
        </Entry>
      )}
    </>
  );
}

function Colour({ role, draft, why }: { role: Role; draft: RolesDraft; why: string | undefined }) {
  const { roles: words } = useWords();
  const ownName = useCopy((copy) => copy.user.display_name);
  const key = roleKey(role, "color");
  const color = String(draft.values[key]);
  const sample = (name: string): ReactNode => (
    <b className={color === plainColor ? undefined : "lit"} style={{ "--user": color }}>
      {name}
    </b>
  );
  return (
    <>
      <ColourChoice
        label={words.colour}
        value={color}
        disabledBecause={why}
        onChange={(value) => draft.set(key, value)}
      />
      <p className={styles.hint}>
        {words.readsAs[0]}
        {sample(ownName)}
        {color === plainColor ? words.readsPlain : words.readsAs[1]}
      </p>
      {color !== plainColor && why === undefined && (
        <div className={styles.below}>
          <Button isSmall onClick={() => draft.set(key, plainColor)}>
            {words.noColour}
          </Button>
        </div>
      )}
    </>
  );
}

function Rights({
  server,
  role,
  standing,
  draft,
  why,
  isChanged,
}: Props & { why: string | undefined; isChanged: boolean }) {
  const { roles: words } = useWords();
  const has = (right: PermissionName) => draft.values[roleKey(role, right)] === true;
  const everyone = server.roles.find(({ is_default }) => is_default)?.permissions ?? 0;
  const on = rights.filter(has).length;
  const label = (
    <>
      {words.may}
      <small className={styles.small}>{words.count(rights.length, on)}</small>
    </>
  );
  return (
    <Entry label={label} isChanged={isChanged}>
      {rights.map((right) => {
        const bit = permission[right];
        const { name, means } = words.rights[right];
        const isOn = has(right);
        const isFromEveryone = !role.is_default && !isOn && (everyone & bit) !== 0;
        const hint = isFromEveryone ? words.fromEveryone(means) : means;
        // A permission that the role already has may be removed by people who do not hold it themselves.
        const isBeyond = !isOn && (standing.bits & bit) === 0 && (role.permissions & bit) === 0;
        const reason = why ?? (isBeyond ? words.beyond : undefined);
        return (
          <Switch
            key={right}
            label={name}
            hint={hint}
            isOn={isOn}
            disabledBecause={reason && `${hint}. ${reason}`}
            onChange={(isOn) => draft.set(roleKey(role, right), isOn)}
          />
        );
      })}
    </Entry>
  );
}

function DeleteRole({ role, draft }: { role: Role; draft: RolesDraft }) {
  const { roles: words } = useWords();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="danger" icon={Trash2} onClick={() => setAsking(true)}>
        {words.remove}
      </Button>
      {isAsking && (
        <Confirm
          title={words.removeTitle(role.name)}
          button={words.remove}
          onConfirm={async () => {
            await deleteRole({ params: { serverID: role.server_id, roleID: role.id } });
            discardRole(draft, role);
          }}
          onClose={() => setAsking(false)}
        >
          <p>{words.removeLead}</p>
        </Confirm>
      )}
    </>
  );
}
