// Servers page: all servers of the instance, searchable by name, with their owners.
import { useEffect, useState } from "react";
import { idBefore } from "../../../client/id-before.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { FacePicture, hueOf } from "../../../web/ui/controls/face.tsx";
import { initials } from "../../../web/ui/controls/initials.ts";
import type { Column } from "../../../web/ui/controls/table.tsx";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { day } from "../../../web/ui/words/days.ts";
import { currentLanguage, useWords } from "../../../web/ui/words/words.ts";
import { useTitle } from "../../instance/view/title.ts";
import type { SharedServer } from "../../servers/contract.ts";
import { listAccounts, listAllServers } from "../calls.ts";
import styles from "./list-view.module.css";
import { ListView } from "./list-view.tsx";
import { type List, usePagedList } from "./paged-list.ts";

const servers: List<SharedServer> = (query, signal) => listAllServers({ query }, signal);

export function ServersPage() {
  const { administration: words } = useWords();
  useTitle(words.servers);
  const list = usePagedList<SharedServer>(servers);
  const owners = useOwners(list.asked.value?.items);
  const number = new Intl.NumberFormat(currentLanguage());
  const columns: Column<SharedServer>[] = [
    { id: "name", name: words.name, cell: (server) => <Name server={server} /> },
    { id: "owner", name: words.owner, cell: ({ owner_id }) => owners.get(owner_id) },
    {
      id: "members",
      name: words.members,
      isNumber: true,
      cell: ({ member_count }) => number.format(member_count),
    },
    { id: "made", name: words.made, cell: ({ created_at }) => <Made at={created_at} /> },
  ];
  return (
    <SettingsPage title={words.servers}>
      <ListView
        label={words.servers}
        find={words.findServer}
        hint={words.findServerHint}
        list={list}
        columns={columns}
        empty={list.found ? words.noServer(list.found) : words.noServers}
      />
    </SettingsPage>
  );
}

/** The server's name; a link for its members. */
function Name({ server: { id, name, icon } }: { server: SharedServer }) {
  const isMine = useCopy(({ servers }) => servers.some((each) => each.id === id));
  return (
    <div className={styles.who}>
      <span className={classNames(styles.monogram, "tone")} style={{ "--hue": hueOf(id) }} aria-hidden="true">
        {initials(name)}
        {icon && <FacePicture url={icon} size={28} />}
      </span>
      <div className={styles.name}>
        {isMine ? <Link href={`/servers/${id}`}>{name}</Link> : <b>{name}</b>}
      </div>
    </div>
  );
}

function Made({ at }: { at: string }) {
  return (
    <time dateTime={at} className={styles.when}>
      {day(new Date(at))}
    </time>
  );
}

/** Names of the owners by id, once all are fetched. */
function useOwners(servers: readonly SharedServer[] | undefined): ReadonlyMap<string, string> {
  const [owners, setOwners] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const over = new AbortController();
    const ids = new Set(servers?.map(({ owner_id }) => owner_id));
    void Promise.all(
      [...ids].map(async (id): Promise<[string, string]> => [id, await nameOf(id, over.signal)]),
    ).then(
      (named) => setOwners(new Map(named)),
      () => {},
    );
    return () => over.abort();
  }, [servers]);
  return owners;
}

/** Fetches one person from the list, which is in order of id: the first after the id before this one. */
async function nameOf(id: string, signal: AbortSignal): Promise<string> {
  const { items } = await listAccounts({ query: { after: idBefore(id), limit: 1 } }, signal);
  return items.find((each) => each.id === id)?.display_name ?? "";
}
