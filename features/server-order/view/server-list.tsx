// The list of all servers: found by name, opened, and put into order.
import { BellOff, GripVertical } from "lucide-react";
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { folded } from "../../../protocol/folded.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { useFrameWidth } from "../../../web/ui/browser/frame-width.ts";
import { isComposing } from "../../../web/ui/browser/input-method.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { initials } from "../../../web/ui/controls/initials.ts";
import { MentionCount } from "../../../web/ui/controls/mention-count.tsx";
import nav from "../../../web/ui/controls/nav-row.module.css";
import { keysIn } from "../../../web/ui/keys/keys.ts";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { Popover } from "../../../web/ui/overlays/popover.tsx";
import { Sheet } from "../../../web/ui/overlays/sheet.tsx";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { isUnreadIn, mentionsOf } from "../../servers/view/marks.ts";
import type { StripProps } from "../../servers/view/slots.ts";
import { useIds } from "./ids.ts";
import { useLetGo } from "./let-go.ts";
import { moveByStep, moveServer } from "./moving.ts";
import { useOrderDrag } from "./order-drag.ts";
import styles from "./server-list.module.css";

interface Props extends StripProps {
  onClose(): void;
}

export function ServerList(props: Props) {
  const { serverOrder: words } = useWords();
  const isNarrow = useFrameWidth() === "narrow";
  const { strip, onClose } = props;
  return isNarrow ? (
    <Sheet label={words.all} onClose={onClose}>
      <Inside {...props} isNarrow />
    </Sheet>
  ) : (
    <Popover label={words.all} anchor={strip} placement="bottom start" onClose={onClose}>
      <Inside {...props} isNarrow={false} />
    </Popover>
  );
}

function Inside({ servers, currentId, addressOf, onAdd, onClose, isNarrow }: Props & { isNarrow: boolean }) {
  const { serverOrder: words, servers: general } = useWords();
  const [query, setQuery] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const found = servers.filter((server) => fits(server, query));
  const isWhole = query.trim() === "";
  // The open server has no mark: its channels say what is unread there.
  const unread = useCopy(
    (copy) => copy.servers.filter((server) => server.id !== currentId && isUnreadIn(copy, server)).length,
  );
  const onKeyDown = useListKeys(list, useIds(found), isWhole);
  const add = (
    <Button
      isSmall
      kind={isNarrow ? "quiet" : "second"}
      onClick={() => {
        onClose();
        onAdd();
      }}
    >
      {general.add}
    </Button>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and of the links inside.
    <div className={styles.inside} onKeyDown={onKeyDown}>
      {isNarrow && (
        <header className={styles.head}>
          <h2>{words.all}</h2>
          {add}
        </header>
      )}
      <div className={styles.ask}>
        <input
          type="search"
          // biome-ignore lint/a11y/noAutofocus: one opens the list to find a server; a keyboard would cover it.
          autoFocus={!isNarrow}
          aria-label={words.find}
          placeholder={words.find}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      <div className={styles.found}>
        <ul ref={list} aria-label={general.servers} className={nav.spine}>
          {found.map((server) => (
            <Row
              key={server.id}
              server={server}
              isHere={server.id === currentId}
              isMovable={isWhole}
              address={addressOf(server)}
              onClose={onClose}
            />
          ))}
        </ul>
        <p role="status" className={styles.nothing}>
          {found.length === 0 && words.nothing(query.trim())}
        </p>
      </div>
      <footer className={styles.foot}>
        <span>{words.count(servers.length, unread)}</span>
        {!isNarrow && add}
      </footer>
    </div>
  );
}

/** True if the query stands in the name, or begins its initials. */
function fits({ name }: OwnServer, query: string): boolean {
  const wanted = folded(query).trim();
  return folded(name).includes(wanted) || folded(initials(name)).startsWith(wanted);
}

interface RowProps {
  server: OwnServer;
  isHere: boolean;
  isMovable: boolean;
  address: string;
  onClose(): void;
}

function Row({ server, isHere, isMovable, address, onClose }: RowProps) {
  const { serverOrder: words, parts } = useWords();
  const mentions = useCopy((copy) => mentionsOf(copy, server));
  const isUnread = useCopy((copy) => isUnreadIn(copy, server)) && !isHere;
  const isMuted = useCopy(({ notificationSettings }) =>
    notificationSettings.servers.some(
      ({ server_id, muted_until }) =>
        server_id === server.id && muted_until !== null && Date.parse(muted_until) > Date.now(),
    ),
  );
  return (
    <li className={styles.item}>
      <Link
        href={address}
        aria-current={isHere ? "page" : undefined}
        aria-keyshortcuts={isMovable ? "Alt+ArrowUp Alt+ArrowDown" : undefined}
        draggable={isMovable}
        className={classNames(
          nav.row,
          styles.row,
          isUnread && styles.unread,
          mentions > 0 && styles.mention,
          isMuted && styles.muted,
        )}
        onClick={onClose}
      >
        <Face id={server.id} name={server.name} picture={server.icon} size={26} isServer />
        <span className={styles.name}>{server.name}</span>
        {mentions > 0 ? (
          <MentionCount count={mentions} />
        ) : (
          isUnread && <span className="visually-hidden">{parts.unread}</span>
        )}
        {isMuted && (
          <>
            <Icon of={BellOff} size={14} />
            <span className="visually-hidden">{words.muted}</span>
          </>
        )}
        {isMovable && (
          <span className={styles.grip}>
            <Icon of={GripVertical} size={14} />
          </span>
        )}
      </Link>
    </li>
  );
}

/**
 * Returns the key handler of the list: arrows move the focus, with Alt the row that has it; letters go to the field, and
 * Enter in it opens the first server found. Rows are also dragged, while all are shown.
 */
function useListKeys(
  list: RefObject<HTMLUListElement | null>,
  ids: readonly string[],
  isWhole: boolean,
): (event: KeyboardEvent<HTMLElement>) => void {
  const { chat } = useHouse();
  const { serverOrder: words } = useWords();
  const carried = useRef<string>(undefined);
  useLetGo(carried);
  const links = () => [...(list.current?.querySelectorAll("a") ?? [])];
  useOrderDrag({
    list,
    axis: "y",
    ids,
    isOff: !isWhole,
    onMove: (id, place) => moveServer(chat, id, place, words),
  });
  // A browser drops the focus from what changes its place.
  useLayoutEffect(() => {
    const link = carried.current === undefined ? undefined : links()[ids.indexOf(carried.current)];
    if (link && link !== document.activeElement) link.focus();
  });
  return (event) => {
    if (isComposing(event.nativeEvent)) return;
    const at = links().indexOf(document.activeElement as HTMLAnchorElement);
    const id = ids[at];
    carried.current = undefined;
    switch (keysIn(event)) {
      case "ArrowDown":
        links()[at + 1]?.focus();
        break;
      case "ArrowUp":
        if (at > 0) links()[at - 1]?.focus();
        else if (at === 0) event.currentTarget.querySelector("input")?.focus();
        break;
      case "Alt+ArrowUp":
      case "Alt+ArrowDown":
        if (id === undefined || !isWhole) return;
        carried.current = id;
        moveByStep(chat, id, event.key === "ArrowUp" ? -1 : 1, words);
        break;
      case "Enter":
        if (isWhole || !(event.target instanceof HTMLInputElement)) return;
        links()[0]?.click();
        break;
      default:
        // The field has the focus before the browser enters the character.
        if (at >= 0 && isTyped(event)) event.currentTarget.querySelector("input")?.focus();
        return;
    }
    event.preventDefault();
  };
}

/** True if the key enters a character. A space scrolls. */
function isTyped({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key !== " " && [...key].length === 1 && !ctrlKey && !metaKey && !altKey;
}
