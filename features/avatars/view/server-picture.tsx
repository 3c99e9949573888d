// The picture in the overview of a server's settings, also where it is one of another host.
import type { OwnServer } from "../../../client/servers.ts";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { deleteServerIcon } from "../calls.ts";
import styles from "./picture.module.css";
import { PictureButtons } from "./picture-buttons.tsx";

/** A change comes by SERVER_UPDATE. */
export function ServerPicture({ server }: { server: OwnServer }) {
  const { avatars: words } = useWords();
  return (
    <Entry label={words.picture}>
      <div className={styles.entry}>
        <Face id={server.id} name={server.name} picture={server.icon} size={72} isServer />
        <PictureButtons
          path={`/servers/${server.id}/icon`}
          isServer
          hasPicture={server.icon !== null}
          onSaved={() => {}}
          onRemove={() => deleteServerIcon({ params: { id: server.id } })}
        />
      </div>
      <p className={styles.hint}>{words.hint}</p>
    </Entry>
  );
}
