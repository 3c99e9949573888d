// Settings: the notification level of each server, and of the channels that differ from it.
import { Search } from "lucide-react";
import { useMemo, useState } from "react";
import { channelIn } from "../../../client/servers.ts";
import { folded } from "../../../protocol/folded.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry, Field } from "../../../web/ui/controls/entry.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { AllServers } from "./all-servers.tsx";
import { MutedSince, NotificationDialog } from "./notification-dialog.tsx";
import styles from "./notifications.module.css";
import { nameOf, type Place, useServerOf, useWanted } from "./place.ts";
import { useMutedNow } from "./use-muted.ts";

/** With more servers than these, one of them is searched for. */
const searchedFrom = 6;

export function LevelsList() {
  const { notifications: words } = useWords();
  const servers = useCopy((copy) => copy.servers);
  const direct = useCopy((copy) => copy.direct);
  const settings = useCopy((copy) => copy.notificationSettings);
  const [search, setSearch] = useState("");
  /** Its dialog stays here when its row goes, as that of a channel does once it has no setting of its own. */
  const [open, setOpen] = useState<Place>();
  const wanted = folded(search.trim());
  const found = servers.filter(({ name }) => folded(name).includes(wanted));
  const channels = useMemo(
    () => settings.channels.flatMap(({ channel_id }) => channelIn({ servers, direct }, channel_id) ?? []),
    [servers, direct, settings],
  );
  const isThere = (place: Place) =>
    "server" in place
      ? servers.some(({ id }) => id === place.server.id)
      : channelIn({ servers, direct }, place.channel.id) !== undefined;
  return (
    <>
      {servers.length > searchedFrom && (
        <Field
          label={words.search}
          sign={Search}
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <Entry label={words.perServer}>
        {servers.length === 0 ? (
          <p className={styles.none}>{words.noServers}</p>
        ) : (
          <p className={styles.byDefault}>{words.byDefault}</p>
        )}
        {servers.length > 1 && <AllServers servers={servers} />}
        {servers.length > 0 && found.length === 0 && (
          <p className={styles.none}>{words.noneCalled(search.trim())}</p>
        )}
        <ul>
          {found.map((server) => (
            <Row key={server.id} place={{ server }} onOpen={setOpen} />
          ))}
        </ul>
      </Entry>
      {servers.length > 0 && (
        <Entry label={words.perChannel}>
          {channels.length === 0 && <p className={styles.none}>{words.noChannels}</p>}
          <ul>
            {channels.map((channel) => (
              <Row key={channel.id} place={{ channel }} onOpen={setOpen} />
            ))}
          </ul>
        </Entry>
      )}
      {open && isThere(open) && <NotificationDialog place={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Row({ place, onOpen }: { place: Place; onOpen(place: Place): void }) {
  const { notifications: words } = useWords();
  const wanted = useWanted(place);
  const server = useServerOf(place);
  const isMuted = useMutedNow(wanted.mutedUntil);
  const level = wanted.level ? words.levels[wanted.level] : undefined;
  const name = nameOf(place);
  return (
    <li className={styles.row}>
      <div>
        <b>{name}</b>
        {server && <span className={styles.hint}> {server.name}</span>}
        <p className={styles.hint}>
          {level}
          {level && isMuted && " · "}
          {isMuted && <MutedSince until={wanted.mutedUntil} />}
        </p>
      </div>
      <Button isSmall aria-label={words.changeOf(name)} onClick={() => onOpen(place)}>
        {words.change}
      </Button>
    </li>
  );
}
