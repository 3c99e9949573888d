// The page of bots: those in the server, and the user's own in any server.
import { Plus } from "lucide-react";
import { useCallback, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { ItemList, Nothing } from "../../../web/ui/controls/item-list.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { type Fetched, Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { withItem } from "../../../web/ui/session/with-item.ts";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { useBotMembers } from "../../members/view/settings-list.ts";
import { useStanding } from "../../roles/view/standing.ts";
import { listBots } from "../calls.ts";
import type { Bot } from "../contract.ts";
import { addToServer } from "./add-to-server.ts";
import { BotForm } from "./bot-form.tsx";
import { OwnBot } from "./own-bot.tsx";
import { PresentBot } from "./present-bot.tsx";

export function SettingsBots({ server }: { server: OwnServer }) {
  const { bots: words } = useWords();
  const load = useCallback((signal: AbortSignal) => listBots({}, signal), []);
  const own = useFetched(load);
  const present = useBotMembers(server.id);
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      <Entry label={words.here}>
        <Loaded of={present}>
          {(members) =>
            members.length === 0 ? (
              <Nothing>{words.noneHere}</Nothing>
            ) : (
              <ItemList label={words.here}>
                {members.map((member) => (
                  <PresentBot
                    key={member.user.id}
                    server={server}
                    member={member}
                    isOwn={own.value?.some(({ id }) => id === member.user.id) ?? false}
                    onRemoved={own.reload}
                  />
                ))}
              </ItemList>
            )
          }
        </Loaded>
      </Entry>
      <OwnBots server={server} own={own} />
    </SettingsPage>
  );
}

/** A new bot is in the server at once, if the reader may add it; else, and if that fails, it can be added later. */
function OwnBots({ server, own }: { server: OwnServer; own: Fetched<Bot[]> }) {
  const { bots: words } = useWords();
  const standing = useStanding(server);
  const adding = useAct();
  const [isMaking, setMaking] = useState(false);
  /** New tokens by bot id, which are shown only this once. */
  const [tokens, setTokens] = useState<ReadonlyMap<string, string>>(new Map());
  const show = (botId: string, token: string) => setTokens((before) => new Map(before).set(botId, token));
  const add = async (made: Bot) => {
    own.change((list) => withItem(list, made));
    if (!standing.may("MANAGE_SERVER")) return;
    await adding.run(async () => {
      const here = await addToServer(made, server.id);
      own.change((list) => list.map((bot) => (bot.id === here.id ? here : bot)));
    });
  };
  const isFull = (own.value?.length ?? 0) >= limits.bots_owned_max;
  return (
    <>
      <Entry label={words.own}>
        <Button
          icon={Plus}
          disabledBecause={isFull ? words.full(limits.bots_owned_max) : undefined}
          onClick={() => setMaking(true)}
        >
          {words.make}
        </Button>
        {isMaking && (
          <BotForm onSaved={(bot) => void add(bot)} onToken={show} onClose={() => setMaking(false)} />
        )}
        <Refused by={adding.error} />
      </Entry>
      <Entry>
        <OwnList server={server} own={own} tokens={tokens} onToken={show} />
      </Entry>
    </>
  );
}

interface ListProps {
  server: OwnServer;
  own: Fetched<Bot[]>;
  tokens: ReadonlyMap<string, string>;
  onToken(botId: string, token: string): void;
}

function OwnList({ server, own, tokens, onToken }: ListProps) {
  const { bots: words } = useWords();
  return (
    <Loaded of={own}>
      {(list) =>
        list.length === 0 ? (
          <Nothing>{words.noneOwn}</Nothing>
        ) : (
          <ItemList label={words.own}>
            {list.map((bot) => (
              <OwnBot
                key={bot.id}
                server={server}
                bot={bot}
                token={tokens.get(bot.id)}
                onToken={onToken}
                onChange={(after) =>
                  own.change((all) => all.map((each) => (each.id === after.id ? after : each)))
                }
                onDeleted={() => own.change((all) => all.filter(({ id }) => id !== bot.id))}
              />
            ))}
          </ItemList>
        )
      }
    </Loaded>
  );
}
