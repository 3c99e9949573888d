// The confirmation before leaving a server. Menus open it, too.
import type { OwnServer } from "../../../client/servers.ts";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { useGoOnWithout } from "../../servers/view/gone.ts";
import { leaveServer } from "../calls.ts";

export function LeaveServer({ server, onClose }: { server: OwnServer; onClose(): void }) {
  const { memberSettings: words } = useWords();
  const goOnWithout = useGoOnWithout();
  async function leave() {
    await leaveServer({ params: { id: server.id } });
    await goOnWithout(server.id);
  }
  return (
    <Confirm title={words.leaveTitle(server.name)} button={words.leave} onConfirm={leave} onClose={onClose}>
      <p>{words.leaveLead}</p>
    </Confirm>
  );
}
