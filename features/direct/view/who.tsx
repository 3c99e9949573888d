// The field that finds people to write to, with the chosen ones above it.
import { X } from "lucide-react";
import { useCallback, useState } from "react";
import { Combobox } from "../../../web/ui/controls/combobox.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { useAcquaintances } from "./acquaintances.ts";
import styles from "./who.module.css";

interface Props {
  chosen: readonly User[];
  /** Ids of people who are there already. */
  there: readonly string[];
  /** True if it becomes a group with the next one: bots are in none. */
  isGroup: boolean;
  /** True if there is room for one more. */
  hasRoom: boolean;
  onChange(chosen: readonly User[]): void;
}

export function Who({ chosen, there, isGroup, hasRoom, onChange }: Props) {
  const { direct: words } = useWords();
  const [query, setQuery] = useState("");
  const fits = useCallback(
    ({ id, bot }: User) =>
      hasRoom && !there.includes(id) && !chosen.some((each) => each.id === id) && !(bot && isGroup),
    [chosen, there, isGroup, hasRoom],
  );
  const people = useAcquaintances(query, fits);
  return (
    <div className={styles.who}>
      {/* The field has this name by itself. */}
      <span aria-hidden="true" className={styles.label}>
        {words.who}
      </span>
      {chosen.length > 0 && (
        <ul className={styles.chosen}>
          {chosen.map(({ id, display_name, avatar }) => (
            <li key={id} className={styles.chip}>
              <Face id={id} name={display_name} picture={avatar} size={20} />
              <span>{display_name}</span>
              <button
                type="button"
                aria-label={words.unchoose(display_name)}
                onClick={() => onChange(chosen.filter((each) => each.id !== id))}
              >
                <Icon of={X} size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        label={words.who}
        placeholder={words.typeName}
        autoFocus
        query={query}
        options={people.map(({ id, display_name, username, avatar }) => ({
          id,
          name: display_name,
          mark: <Face id={id} name={display_name} picture={avatar} size={20} />,
          end: username === display_name ? undefined : `@${username}`,
        }))}
        onQuery={setQuery}
        onTake={(id) => {
          const user = people.find((each) => each.id === id);
          if (user) onChange([...chosen, user]);
          setQuery("");
        }}
      />
    </div>
  );
}
