// A field that finds members of a server by their names, and takes one.
import { useState } from "react";
import { Combobox } from "../../../web/ui/controls/combobox.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import type { Member } from "../contract.ts";
import { useMembersNamed } from "./members-named.ts";

interface Props {
  serverId: string;
  label: string;
  /** True if the member can be taken; others are not offered. */
  fits(member: Member): boolean;
  onAdd(member: Member): void;
}

export function AddMember({ serverId, label, fits, onAdd }: Props) {
  const [query, setQuery] = useState("");
  const named = useMembersNamed(serverId, query, fits);
  return (
    <Combobox
      label={label}
      query={query}
      options={named.map(({ user }) => ({
        id: user.id,
        name: user.display_name,
        mark: <Face id={user.id} name={user.display_name} picture={user.avatar} size={20} />,
        end: user.username === user.display_name ? undefined : user.username,
      }))}
      onQuery={setQuery}
      onTake={(id) => {
        const member = named.find(({ user }) => user.id === id);
        if (member) onAdd(member);
        setQuery("");
      }}
    />
  );
}
