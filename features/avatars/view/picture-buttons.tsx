// The buttons "Change picture" and "Remove picture", of a profile, a server or a bot.
import { Upload } from "lucide-react";
import { useRef, useState } from "react";
import { lazily } from "../../../web/ui/browser/lazily.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./picture.module.css";

/** Its code is loaded with the first press. */
const ChangePicture = lazily(async () => (await import("./change-picture.tsx")).default);

interface Props {
  /** The path of the operation that puts the picture up. */
  path: string;
  /** True if there is a picture to take away. */
  hasPicture: boolean;
  /** The name of the picture's owner, where there are several. */
  of?: string;
  isSmall?: boolean;
  /** True if it is the picture of a server. */
  isServer?: boolean;
  onSaved(answer: unknown): void;
  onRemove(): Promise<unknown>;
}

export function PictureButtons({ path, hasPicture, of, isSmall = false, isServer = false, ...acts }: Props) {
  const { avatars: words } = useWords();
  const act = useAct();
  const [isOpen, setOpen] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  async function remove() {
    // The button goes with the picture.
    if (await act.run(acts.onRemove)) change.current?.focus();
  }
  return (
    <>
      <div className={styles.actions}>
        <Button
          ref={change}
          icon={Upload}
          isSmall={isSmall}
          aria-label={of && words.changeOf(of)}
          onClick={() => setOpen(true)}
        >
          {words.change}
        </Button>
        {hasPicture && (
          <Button
            kind="quiet"
            isSmall={isSmall}
            isBusy={act.isBusy}
            aria-label={of && words.removeOf(of)}
            onClick={() => void remove()}
          >
            {words.remove}
          </Button>
        )}
      </div>
      <Refused by={act.error} />
      {isOpen && (
        <ChangePicture
          path={path}
          isServer={isServer}
          onSaved={acts.onSaved}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
