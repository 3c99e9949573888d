// The channels of all servers with unread mentions of the reader, by the read states.
import { AtSign, Hash } from "lucide-react";
import { inOrder } from "../../features/channels/view/order.ts";
import { useInstance } from "../../features/instance/view/instance.ts";
import { useTitle } from "../../features/instance/view/title.ts";
import { Icon } from "../ui/controls/icon.tsx";
import { PageTitle } from "../ui/controls/page-title.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { paths } from "../ui/navigation/paths.ts";
import { useCopy } from "../ui/session/house.tsx";
import { useWords } from "../ui/words/words.ts";
import styles from "./mentions.module.css";

/** `isAlone`: the sidebar shows no title. */
export function Mentions({ isAlone }: { isAlone: boolean }) {
  const { shell: words, parts } = useWords();
  const instance = useInstance();
  useTitle(words.mentions);
  const servers = useCopy((copy) => copy.servers);
  const readStates = useCopy((copy) => copy.readStates);
  const calling = servers
    .map((server) => ({
      server,
      channels: inOrder(server.channels).filter(({ id }) => (readStates.get(id)?.mention_count ?? 0) > 0),
    }))
    .filter(({ channels }) => channels.length > 0);
  return (
    <main aria-label={words.mentions} className={styles.page}>
      <header className={styles.head}>
        <PageTitle isAlways={isAlone}>{instance?.name ?? "Hearth"}</PageTitle>
        <h2>
          <Icon of={AtSign} />
          {words.mentions}
        </h2>
      </header>
      <div className={styles.list}>
        {calling.length === 0 && (
          <div className={styles.empty}>
            <h3>{words.noMentions}</h3>
            <p>{words.noMentionsLead}</p>
          </div>
        )}
        {calling.map(({ server, channels }) => (
          <section key={server.id} aria-label={server.name}>
            <h3 className={styles.server}>{server.name}</h3>
            <ul>
              {channels.map(({ id, name }) => (
                <li key={id}>
                  <Link
                    href={paths.channel({ server_id: server.id, id })}
                    state={{ isFromHere: true }}
                    className={styles.row}
                  >
                    <Icon of={Hash} size={16} />
                    <span className={styles.name}>{name}</span>
                    <span className={styles.count}>
                      {parts.mentions(readStates.get(id)?.mention_count ?? 0)}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </main>
  );
}
