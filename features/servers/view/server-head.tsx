// The server's name above its channels, and its menu.
import { ChevronDown } from "lucide-react";
import type { OwnServer } from "../../../client/servers.ts";
import { MenuButton } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./server-head.module.css";
import { serverMenu } from "./slots.ts";

export function ServerHead({ server }: { server: OwnServer }) {
  const { servers: words } = useWords();
  return (
    <header className={styles.place}>
      <h1 title={server.name}>{server.name}</h1>
      <MenuButton label={words.serverMenu} icon={ChevronDown} items={menuOf(serverMenu, { server })} />
    </header>
  );
}
