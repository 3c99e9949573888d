// Adds a role or a member to those for whom a channel has overrides.
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import type { OwnServer } from "../../../../client/servers.ts";
import { focusAfter } from "../../../../web/ui/browser/focus-after.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Combobox } from "../../../../web/ui/controls/combobox.tsx";
import { Face } from "../../../../web/ui/controls/face.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { useMembersNamed } from "../../../members/view/members-named.ts";
import { RoleName } from "../../../roles/view/role-name.tsx";
import styles from "./permissions.module.css";
import type { Target } from "./targets.ts";

interface Props {
  server: OwnServer;
  targets: readonly Target[];
  onAdd(target: Target): void;
}

export function AddTarget({ server, targets, onAdd }: Props) {
  const { channelSettings: words } = useWords();
  const [isAsking, setAsking] = useState(false);
  const [query, setQuery] = useState("");
  const isNew = (id: string) => !targets.some((target) => target.id === id);
  const members = useMembersNamed(server.id, query, ({ user }) => isNew(user.id));
  const wanted = query.trim().toLowerCase();
  const roles = server.roles.filter(({ id, name }) => isNew(id) && name.toLowerCase().includes(wanted));
  const place = useRef<HTMLDivElement>(null);
  const ask = (isNow: boolean) => {
    setAsking(isNow);
    setQuery("");
    focusAfter(place.current, isNow ? "input" : "button");
  };
  return (
    <div ref={place} className={styles.add}>
      {isAsking ? (
        <Combobox
          label={words.roleOrMember}
          query={query}
          options={[
            ...roles.map(({ id, name, color }) => ({ id, name: <RoleName name={name} color={color} /> })),
            ...members.map(({ user }) => ({
              id: user.id,
              name: user.display_name,
              mark: <Face id={user.id} name={user.display_name} picture={user.avatar} size={20} />,
              end: user.username === user.display_name ? undefined : user.username,
            })),
          ]}
          onQuery={setQuery}
          onTake={(id) => {
            onAdd({ id, kind: roles.some((role) => role.id === id) ? "role" : "member" });
            ask(false);
          }}
          onLeave={() => ask(false)}
        />
      ) : (
        <Button isSmall icon={Plus} onClick={() => ask(true)}>
          {words.add}
        </Button>
      )}
    </div>
  );
}
