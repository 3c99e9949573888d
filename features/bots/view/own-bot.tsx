// A bot of the user's own: its servers, its token when that is new, and the actions on it.
import { Ellipsis, KeyRound, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { CopyField } from "../../../web/ui/controls/copy-field.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { Item } from "../../../web/ui/controls/item-list.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { MenuButton, type MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { untilGone } from "../../../web/ui/session/until-gone.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { useStanding } from "../../roles/view/standing.ts";
import { deleteBot, regenerateToken } from "../calls.ts";
import type { Bot } from "../contract.ts";
import { addToServer } from "./add-to-server.ts";
import { BotForm } from "./bot-form.tsx";
import { belowBot, botPicture } from "./slots.ts";

interface Props {
  server: OwnServer;
  bot: Bot;
  /** The new token, while it can be seen. */
  token: string | undefined;
  onToken(botId: string, token: string): void;
  onChange(bot: Bot): void;
  onDeleted(): void;
}

type Doing = "edit" | "token" | "delete";

export function OwnBot(props: Props) {
  const { bots: words } = useWords();
  const { server, bot, token } = props;
  const [doing, setDoing] = useState<Doing>();
  const isHere = bot.server_ids.includes(server.id);
  const item = (id: Doing, label: string, more: Partial<MenuItem>): MenuItem => ({
    id,
    label,
    ...more,
    onChoose: () => setDoing(id),
  });
  const items = [
    item("edit", words.edit, { icon: Pencil }),
    item("token", words.newToken, { icon: KeyRound }),
    item("delete", words.delete, { icon: Trash2, isDanger: true, isApart: true }),
  ];
  return (
    <Item
      face={<Face id={bot.id} name={bot.name} picture={bot.avatar} size={36} />}
      title={bot.name}
      about={
        <>
          {bot.description !== "" && <>{bot.description} · </>}
          {words.inServers(bot.server_ids.length)}
        </>
      }
      actions={
        <>
          {!isHere && <AddHere {...props} />}
          <MenuButton label={words.actions(bot.name)} icon={Ellipsis} items={items} />
        </>
      }
    >
      {token !== undefined && <CopyField label={words.tokenOf(bot.name)} value={token} isShownOnce />}
      {filled(botPicture, { bot, onChange: props.onChange })}
      {isHere && filled(belowBot, { server, bot })}
      {doing && (
        <Done {...props} doing={doing} onClose={() => setDoing((now) => (now === doing ? undefined : now))} />
      )}
    </Item>
  );
}

function AddHere({ server, bot, onChange }: Props) {
  const { bots: words } = useWords();
  const standing = useStanding(server);
  const act = useAct();
  async function add() {
    await act.run(async () => onChange(await addToServer(bot, server.id)));
  }
  return (
    <>
      <Button
        isSmall
        icon={Plus}
        isBusy={act.isBusy}
        aria-label={words.addOf(bot.name)}
        disabledBecause={standing.may("MANAGE_SERVER") ? undefined : words.mayNotAdd}
        onClick={() => void add()}
      >
        {words.add}
      </Button>
      <Refused by={act.error} />
    </>
  );
}

function Done({
  bot,
  doing,
  onClose,
  onToken,
  onChange,
  onDeleted,
}: Props & { doing: Doing; onClose(): void }) {
  const { bots: words } = useWords();
  if (doing === "edit") return <BotForm bot={bot} onSaved={onChange} onClose={onClose} />;
  if (doing === "token") {
    return (
      <Confirm
        title={words.newTokenTitle(bot.name)}
        button={words.newToken}
        onConfirm={async () => onToken(bot.id, (await regenerateToken({ params: { id: bot.id } })).token)}
        onClose={onClose}
      >
        <p>{words.newTokenLead}</p>
      </Confirm>
    );
  }
  return (
    <Confirm
      title={words.deleteTitle(bot.name)}
      button={words.delete}
      typed={bot.name}
      onConfirm={async () => {
        await untilGone(deleteBot({ params: { id: bot.id } }));
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>{words.deleteLead}</p>
    </Confirm>
  );
}
