// The page of members: all of them, or those found by name, with the actions on each.
import { Search } from "lucide-react";
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { useSettled } from "../../../web/ui/browser/settled.ts";
import { Entry, Field } from "../../../web/ui/controls/entry.tsx";
import { ItemList, Nothing } from "../../../web/ui/controls/item-list.tsx";
import { Loaded } from "../../../web/ui/session/fetched.tsx";
import { More } from "../../../web/ui/session/pages.tsx";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { useMemberPages } from "./settings-list.ts";
import { MemberItem } from "./settings-member.tsx";

export function SettingsMembers({ server }: { server: OwnServer }) {
  const { memberSettings: words, parts } = useWords();
  const [search, setSearch] = useState("");
  const wanted = useSettled(search.trim());
  const pages = useMemberPages(server.id, wanted);
  return (
    <SettingsPage title={words.members} lead={parts.people(server.member_count)}>
      <Field
        label={words.search}
        sign={Search}
        type="search"
        value={search}
        maxLength={limits.members_q_max}
        hint={words.searchHint}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Entry>
        <Loaded of={pages}>
          {({ items, hasMore }) =>
            items.length === 0 ? (
              !hasMore && <Nothing>{words.nobodyCalled(search.trim())}</Nothing>
            ) : (
              <ItemList label={words.members}>
                {items.map((member) => (
                  <MemberItem key={member.user.id} server={server} member={member} />
                ))}
              </ItemList>
            )
          }
        </Loaded>
        {wanted === "" ? <More of={pages} /> : pages.value?.hasMore && <Nothing>{words.moreMatches}</Nothing>}
      </Entry>
    </SettingsPage>
  );
}
