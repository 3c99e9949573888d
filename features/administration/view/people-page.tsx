// People page: everybody who has an account, searchable by name, with the actions on each.
import { Ban } from "lucide-react";
import { Problem } from "../../../web/ui/controls/entry.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import type { Column } from "../../../web/ui/controls/table.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { isSameDay } from "../../../web/ui/words/calendar.ts";
import { day, moment } from "../../../web/ui/words/days.ts";
import { useRefusal } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { useTitle } from "../../instance/view/title.ts";
import { listAccounts } from "../calls.ts";
import type { Account } from "../contract.ts";
import styles from "./list-view.module.css";
import { ListView } from "./list-view.tsx";
import { type List, usePagedList } from "./paged-list.ts";
import { type Acting, PersonDialogs, PersonMenu, useActing } from "./person-acts.tsx";

const people: List<Account> = (query, signal) => listAccounts({ query }, signal);

export function PeoplePage() {
  const { administration: words } = useWords();
  useTitle(words.people);
  const list = usePagedList<Account>(people);
  const acting = useActing((after) =>
    list.asked.change((page) => ({
      ...page,
      items: page.items.map((each) => (each.id === after.id ? after : each)),
    })),
  );
  const columns: Column<Account>[] = [
    { id: "name", name: words.name, cell: (person) => <Who person={person} acting={acting} /> },
    { id: "role", name: words.role, cell: ({ instance_role }) => words.roles[instance_role] },
    { id: "last", name: words.lastHere, cell: ({ last_seen_at }) => <LastHere at={last_seen_at} /> },
    { id: "state", name: words.state, cell: ({ disabled }) => (disabled ? <Disabled /> : null) },
    {
      id: "more",
      name: words.more,
      isUnnamed: true,
      cell: (person) => <PersonMenu person={person} acting={acting} />,
    },
  ];
  return (
    <SettingsPage title={words.people}>
      <ListView
        label={words.accounts}
        find={words.findPerson}
        hint={words.findPersonHint}
        list={list}
        columns={columns}
        empty={words.nobody(list.found)}
      />
      <PersonDialogs acting={acting} />
    </SettingsPage>
  );
}

function Who({ person, acting }: { person: Account; acting: Acting }) {
  const { administration: words } = useWords();
  const isMe = useCopy(({ user }) => user.id === person.id);
  const refusal = useRefusal(acting.refused?.id === person.id ? acting.refused.error : undefined);
  const made = new Date(person.created_at);
  const since = isSameDay(made, new Date()) ? words.sinceToday : words.since(day(made));
  return (
    <div className={styles.who}>
      <Face id={person.id} name={person.display_name} size={28} />
      <div className={styles.name}>
        <b>
          {person.display_name}
          {isMe && ` (${words.you})`}
        </b>
        <small>
          {person.username} · {since}
        </small>
        <div aria-live="polite">{refusal && <Problem>{refusal}</Problem>}</div>
      </div>
    </div>
  );
}

/** A session's last use is stored only once in a while: a person seen within this time may still be there. */
const stillMs = 5 * 60_000;

function LastHere({ at }: { at: string | null }) {
  const { administration: words } = useWords();
  if (at === null) return words.never;
  const seen = new Date(at);
  const isNow = Date.now() - seen.getTime() < stillMs;
  return (
    <time dateTime={at} className={styles.when}>
      {isNow ? words.now : moment(seen)}
    </time>
  );
}

function Disabled() {
  const { administration: words } = useWords();
  return (
    <span className={styles.chip}>
      <Icon of={Ban} size={14} />
      {words.disabled}
    </span>
  );
}
