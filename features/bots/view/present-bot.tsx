// A bot that is in the server, and the button that takes it out.
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Item } from "../../../web/ui/controls/item-list.tsx";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { untilGone } from "../../../web/ui/session/until-gone.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Member } from "../../members/contract.ts";
import { useStanding } from "../../roles/view/standing.ts";
import { removeBotFromServer } from "../calls.ts";

interface Props {
  server: OwnServer;
  member: Member;
  isOwn: boolean;
  onRemoved(): void;
}

export function PresentBot({ server, member: { user, role_ids }, isOwn, onRemoved }: Props) {
  const { bots: words } = useWords();
  const standing = useStanding(server);
  const [isAsking, setAsking] = useState(false);
  const may = isOwn || (standing.may("MANAGE_SERVER") && standing.outranks(user.id, role_ids));
  const roles = server.roles.filter(({ id }) => role_ids.includes(id)).map(({ name }) => name);
  async function remove() {
    await untilGone(removeBotFromServer({ params: { id: user.id, serverID: server.id } }));
    onRemoved();
  }
  return (
    <Item
      face={<Face id={user.id} name={user.display_name} picture={user.avatar} size={36} />}
      title={user.display_name}
      about={roles.length > 0 ? words.holds(roles) : words.holdsNone}
      actions={
        may && (
          <Button
            isSmall
            kind="danger"
            aria-label={words.removeOf(user.display_name)}
            onClick={() => setAsking(true)}
          >
            {words.remove}
          </Button>
        )
      }
    >
      {isAsking && (
        <Confirm
          title={words.removeTitle(user.display_name, server.name)}
          button={words.removeBot}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{words.removeLead}</p>
        </Confirm>
      )}
    </Item>
  );
}
