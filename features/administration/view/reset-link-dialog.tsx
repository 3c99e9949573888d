// The dialog that makes a password reset link and shows it once.
import { useState } from "react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Buttons, Stack } from "../../../web/ui/controls/item-list.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { fullTime } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { LinkField } from "../../instance/view/handed-out.tsx";
import { createResetLink } from "../calls.ts";
import type { Account } from "../contract.ts";

interface Props {
  person: Account;
  onClose(): void;
}

export function ResetLinkDialog({ person: { id, display_name: name }, onClose }: Props) {
  const { administration: words, parts } = useWords();
  const [link, setLink] = useState<Awaited<ReturnType<typeof createResetLink>>>();
  const act = useAct();
  const make = () => act.run(async () => setLink(await createResetLink({ params: { id } })));
  const title = words.linkTitle(name);
  // One dialog for both steps: a second one would not know where the focus was before the first.
  return (
    <Dialog title={title} onClose={onClose} isKept>
      <Stack>
        {link ? (
          <>
            <LinkField label={words.link} value={link.url} isShownOnce />
            <p>{words.linkUntil(fullTime(new Date(link.expires_at)))}</p>
          </>
        ) : (
          <p>{words.linkLead(name)}</p>
        )}
        <Refused by={act.error} />
        <Buttons atEnd>
          {link ? (
            <Button kind="primary" onClick={onClose}>
              {words.done}
            </Button>
          ) : (
            <>
              <Button kind="quiet" onClick={onClose}>
                {parts.cancel}
              </Button>
              <Button kind="primary" isBusy={act.isBusy} onClick={() => void make()}>
                {words.linkAct}
              </Button>
            </>
          )}
        </Buttons>
      </Stack>
    </Dialog>
  );
}
