// The people of a group: its name, who is in it, adding and removing them, and leaving.
import { LogOut, UserPlus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { limits } from "../../../protocol/limits.ts";
import { Button, IconButton } from "../../../web/ui/controls/button.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { PresenceMark } from "../../../web/ui/controls/presence-mark.tsx";
import { TextField } from "../../../web/ui/controls/text-field.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { type Act, useAct } from "../../../web/ui/overlays/act.ts";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useInOrder } from "../../../web/ui/session/in-order.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { updateChannel } from "../../channels/calls.ts";
import { addRecipient, removeRecipient } from "../calls.ts";
import type { OwnConversation } from "../state.ts";
import { forgetOpen } from "./last-open.ts";
import styles from "./people-dialog.module.css";
import { Who } from "./who.tsx";

interface Props {
  conversationId: string;
  onClose(): void;
}

export function PeopleDialog({ conversationId, onClose }: Props) {
  const { direct: words } = useWords();
  const group = useCopy(({ direct }) => direct.get(conversationId));
  const act = useAct();
  const [isAdding, setAdding] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const isGone = group === undefined;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  if (!group) return null;
  if (isLeaving) return <Leave group={group} onClose={onClose} onStay={() => setLeaving(false)} />;
  const isFull = group.recipients.length >= limits.group_people_max;
  return (
    <Dialog title={words.people} onClose={onClose} isSlim>
      <div className={styles.dialog}>
        <GroupName group={group} />
        <h3 className={styles.label}>
          {words.inGroup} <span>{words.countOf(group.recipients.length, limits.group_people_max)}</span>
        </h3>
        <ul className={styles.people} aria-label={words.people}>
          {group.recipients.map((user) => (
            <Person key={user.id} group={group} user={user} act={act} />
          ))}
        </ul>
        <Refused by={act.error} />
        <p className={styles.hint}>{words.readsAll}</p>
        {isAdding && <Add group={group} onDone={() => setAdding(false)} />}
        <div className={styles.buttons}>
          <Button kind="danger" icon={LogOut} onClick={() => setLeaving(true)}>
            {words.leave}
          </Button>
          {!isAdding && (
            <Button
              kind="primary"
              icon={UserPlus}
              disabledBecause={isFull ? words.groupFull(limits.group_people_max) : undefined}
              onClick={() => setAdding(true)}
            >
              {words.addPeople}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** Saved by Enter, and when the field is left. */
function GroupName({ group }: { group: OwnConversation }) {
  const { direct: words } = useWords();
  const act = useAct();
  // Until something is typed, the field shows what others call the group meanwhile.
  const [typed, setTyped] = useState<string>();
  const inOrder = useInOrder();
  /** The name that was sent last and is not answered yet. */
  const sent = useRef<string | null>(undefined);
  function save() {
    const name = typed?.trim() === "" ? null : typed;
    const before = sent.current === undefined ? group.given_name : sent.current;
    if (name === undefined || name === before) return;
    sent.current = name;
    inOrder(async () => {
      const isDone = await act.run(() => updateChannel({ params: { id: group.id }, body: { name } }));
      if (sent.current === name) sent.current = undefined;
      // Letters typed meanwhile stay.
      if (isDone) setTyped((now) => (now === typed ? undefined : now));
    });
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        save();
      }}
    >
      <TextField
        label={words.groupName}
        value={typed ?? group.given_name ?? ""}
        placeholder={group.name}
        maxLength={limits.channel_name_max}
        autoComplete="off"
        onChange={setTyped}
        onBlur={save}
      />
      <Refused by={act.error} />
    </form>
  );
}

function Person({ group, user, act }: { group: OwnConversation; user: User; act: Act }) {
  const { direct: words, accounts } = useWords();
  const ownId = useCopy((copy) => copy.user.id);
  const params = { id: group.id, userID: user.id };
  return (
    <li className={styles.person}>
      <Face id={user.id} name={user.display_name} picture={user.avatar} size={28}>
        <PresenceMark status={user.presence} />
      </Face>
      <span className={styles.name}>
        <b>{user.display_name}</b> {user.id === ownId && words.yourself}
        <span className="visually-hidden">({accounts.presence[user.presence]})</span>
      </span>
      {user.id === group.owner_id && <span className={styles.tag}>{words.owner}</span>}
      {group.owner_id === ownId && user.id !== ownId && (
        <IconButton
          label={words.remove(user.display_name)}
          icon={X}
          disabledBecause={act.isBusy ? words.remove(user.display_name) : undefined}
          onClick={() => void act.run(() => removeRecipient({ params }))}
        />
      )}
    </li>
  );
}

function Add({ group, onDone }: { group: OwnConversation; onDone(): void }) {
  const { direct: words } = useWords();
  const act = useAct();
  const [chosen, setChosen] = useState<readonly User[]>([]);
  const room = limits.group_people_max - group.recipients.length - chosen.length;
  async function add() {
    for (const { id } of chosen) await addRecipient({ params: { id: group.id, userID: id } });
  }
  return (
    <div className={styles.add}>
      <Who
        chosen={chosen}
        there={group.recipients.map(({ id }) => id)}
        isGroup
        hasRoom={room > 0}
        onChange={(people) => {
          act.forget();
          setChosen(people);
        }}
      />
      <Refused by={act.error} />
      <Button
        isBusy={act.isBusy}
        disabledBecause={chosen.length === 0 ? words.nobodyChosen : undefined}
        onClick={() => void act.run(add, onDone)}
      >
        {words.add}
      </Button>
    </div>
  );
}

function Leave({ group, onStay, onClose }: { group: OwnConversation; onStay(): void; onClose(): void }) {
  const { direct: words } = useWords();
  const ownId = useCopy((copy) => copy.user.id);
  const [path, navigate] = useLocation();
  async function leave() {
    forgetOpen(group.id);
    // At its address it would be asked for again.
    if (path.startsWith(paths.channel(group))) navigate(paths.server(null), { replace: true });
    await removeRecipient({ params: { id: group.id, userID: ownId } });
    onClose();
  }
  return (
    <Confirm title={words.leaveTitle(group.name)} button={words.leave} onConfirm={leave} onClose={onStay}>
      <p>{words.leaveLead}</p>
    </Confirm>
  );
}
