// The dialog that transfers a server to another member, found by name.
import { useId, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { useSettled } from "../../../web/ui/browser/settled.ts";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Nothing } from "../../../web/ui/controls/item-list.tsx";
import { TextField } from "../../../web/ui/controls/text-field.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { Loaded } from "../../../web/ui/session/fetched.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { handOver } from "../../servers/calls.ts";
import type { Member } from "../contract.ts";
import { useMemberPages } from "./settings-list.ts";
import styles from "./settings-members.module.css";

interface Props {
  server: OwnServer;
  /** The new owner, if already known. */
  to?: Member;
  onClose(): void;
}

export function HandOver({ server, to, onClose }: Props) {
  const { memberSettings: words } = useWords();
  const act = useAct();
  const [chosen, setChosen] = useState(to);
  async function send() {
    if (chosen) await handOver({ params: { id: server.id }, body: { user_id: chosen.user.id } });
  }
  return (
    <FormDialog
      title={words.handOverTitle(server.name)}
      button={chosen ? words.handOverTo(chosen.user.display_name) : words.handOver}
      act={act}
      disabledBecause={chosen ? undefined : words.chooseFirst}
      isFinal
      onSend={() => void act.run(send, onClose)}
      onClose={onClose}
    >
      <p>{words.handOverLead}</p>
      {!to && <ChooseMember server={server} chosen={chosen} onChoose={setChosen} />}
    </FormDialog>
  );
}

interface ChooseProps {
  server: OwnServer;
  chosen: Member | undefined;
  onChoose(member: Member): void;
}

function ChooseMember({ server, chosen, onChoose }: ChooseProps) {
  const { memberSettings: words } = useWords();
  const group = useId();
  const [search, setSearch] = useState("");
  const pages = useMemberPages(server.id, useSettled(search.trim()));
  return (
    <>
      <TextField label={words.search} type="search" value={search} onChange={setSearch} autoFocus />
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{words.newOwner}</legend>
        <Loaded of={pages}>
          {({ items }) => {
            const able = items.filter(({ user }) => !user.bot && user.id !== server.owner_id);
            if (able.length === 0) return <Nothing>{words.nobody}</Nothing>;
            return able.map((member) => (
              <label key={member.user.id} className={styles.choice}>
                <input
                  type="radio"
                  name={group}
                  checked={chosen?.user.id === member.user.id}
                  onChange={() => onChoose(member)}
                />
                <Face
                  id={member.user.id}
                  name={member.user.display_name}
                  picture={member.user.avatar}
                  size={28}
                />
                <span>{member.user.display_name}</span>
                <small>{member.user.username}</small>
              </label>
            ));
          }}
        </Loaded>
      </fieldset>
    </>
  );
}
