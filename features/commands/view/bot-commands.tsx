// The commands of the user's own bot in a server: the list, adding and deleting.
import { useCallback, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Item, ItemList, Nothing } from "../../../web/ui/controls/item-list.tsx";
import { TextField } from "../../../web/ui/controls/text-field.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { type Fetched, Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { untilGone } from "../../../web/ui/session/until-gone.ts";
import { withItem } from "../../../web/ui/session/with-item.ts";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Bot } from "../../bots/contract.ts";
import { createCommand, deleteCommand, listServerCommands } from "../calls.ts";
import type { Command } from "../contract.ts";
import styles from "./bot-commands.module.css";

interface Props {
  server: OwnServer;
  bot: Bot;
}

/** Fetches the commands when it is first opened. */
export function BotCommands(props: Props) {
  const { botCommands: words } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.commands} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.commands}</summary>
      {isOpen && <Opened {...props} />}
    </details>
  );
}

function Opened({ server, bot }: Props) {
  const { botCommands: words } = useWords();
  const [isMaking, setMaking] = useState(false);
  const load = useCallback(
    async (signal: AbortSignal) => {
      const all = await listServerCommands({ params: { serverID: server.id } }, signal);
      return all.filter(({ bot_id }) => bot_id === bot.id);
    },
    [server.id, bot.id],
  );
  const commands: Fetched<Command[]> = useFetched(load);
  return (
    <>
      <Loaded of={commands}>
        {(list) =>
          list.length === 0 ? (
            <Nothing>{words.none}</Nothing>
          ) : (
            <ItemList label={words.commandsOf(bot.name)}>
              {list.map((command) => (
                <CommandItem
                  key={command.id}
                  command={command}
                  onWithdrawn={() => commands.change((all) => all.filter(({ id }) => id !== command.id))}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      <p className={styles.more}>
        <Button isSmall onClick={() => setMaking(true)}>
          {words.make}
        </Button>
      </p>
      {isMaking && (
        <MakeCommand
          server={server}
          bot={bot}
          onMade={(command) => commands.change((all) => withItem(all, command))}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  );
}

function CommandItem({ command, onWithdrawn }: { command: Command; onWithdrawn(): void }) {
  const { botCommands: words } = useWords();
  const act = useAct();
  const { id, bot_id, name, description } = command;
  async function withdraw() {
    await untilGone(deleteCommand({ params: { id: bot_id, cmdID: id } }));
    onWithdrawn();
  }
  return (
    <Item
      title={`/${name}`}
      about={description}
      actions={
        <Button
          isSmall
          kind="danger"
          isBusy={act.isBusy}
          aria-label={words.withdrawOf(name)}
          onClick={() => void act.run(withdraw)}
        >
          {words.withdraw}
        </Button>
      }
    >
      <Refused by={act.error} />
    </Item>
  );
}

function MakeCommand({
  server,
  bot,
  onMade,
  onClose,
}: Props & { onMade(command: Command): void; onClose(): void }) {
  const { botCommands: words } = useWords();
  const act = useAct();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const bare = name.trim().replace(/^\//, "");
  async function make() {
    const body = { server_id: server.id, name: bare, description };
    onMade(await createCommand({ params: { id: bot.id }, body }));
  }
  return (
    <FormDialog
      title={words.makeFor(bot.name)}
      button={words.offer}
      act={act}
      disabledBecause={bare === "" ? words.nameFirst : undefined}
      onSend={() => void act.run(make, onClose)}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        value={name}
        hint={words.nameHint}
        problem={fieldProblem(act.error, "name")}
        autoFocus
        onChange={setName}
      />
      <TextField
        label={words.description}
        value={description}
        maxLength={limits.command_description_max}
        problem={fieldProblem(act.error, "description")}
        onChange={setDescription}
      />
    </FormDialog>
  );
}
