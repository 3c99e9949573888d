// The bar below the head of a room while the reader looks at it as a role.
import { Eye } from "lucide-react";
import { useEffect } from "react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Select } from "../../../web/ui/controls/select.tsx";
import { isEscape } from "../../../web/ui/keys/keys.ts";
import { useOfServer } from "../../../web/ui/session/house.tsx";
import { stopViewing, useViewed, useViewedAs } from "../../../web/ui/session/viewed.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../state.ts";
import styles from "./view-as.module.css";

export function ViewAsBar({ channel }: { channel: OwnChannel }) {
  const { channels: words } = useWords();
  const roleId = useViewedAs(channel.id);
  const roles = useOfServer(channel.server_id, (server) => server.roles) ?? [];
  useEnd();
  const { name = "", color } = roles.find(({ id }) => id === roleId) ?? {};
  const says = words.viewedAs(name);
  const at = says.lastIndexOf(name);
  return (
    <div className={styles.bar}>
      <span className={styles.eye}>
        <Icon of={Eye} />
      </span>
      <span role="status" aria-label={says} className={styles.says}>
        {says.slice(0, at)}
        <b className="lit" style={{ "--user": color }}>
          {name}
        </b>
        {says.slice(at + name.length)}
      </span>
      <div className={styles.role}>
        <Select
          aria-label={words.role}
          value={roleId ?? ""}
          options={roles.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(next) => useViewed.setState({ roleId: next })}
        />
      </div>
      <Button isSmall onClick={stopViewing}>
        {words.stop}
      </Button>
    </div>
  );
}

/** Escape ends it, and so does leaving the channel. */
function useEnd(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element && event.target.closest("[role=dialog], [role=menu]");
      if (!isEscape(event) || isElsewhere) return;
      event.preventDefault();
      event.stopPropagation();
      stopViewing();
    };
    addEventListener("keydown", onKey, { capture: true });
    return () => {
      removeEventListener("keydown", onKey, { capture: true });
      stopViewing();
    };
  }, []);
}
