// The webhook settings: those of a channel, and the button that creates one, whose URL is shown once.
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useCallback, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Item, ItemList, Nothing } from "../../../web/ui/controls/item-list.tsx";
import { SelectField } from "../../../web/ui/controls/select.tsx";
import { TextField } from "../../../web/ui/controls/text-field.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { FormDialog } from "../../../web/ui/overlays/form-dialog.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { type Fetched, Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { untilGone } from "../../../web/ui/session/until-gone.ts";
import { withItem } from "../../../web/ui/session/with-item.ts";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { dateOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { inOrder } from "../../channels/view/order.ts";
import { LinkField } from "../../instance/view/handed-out.tsx";
import { createWebhook, deleteWebhook, executeWebhook, listWebhooks } from "../calls.ts";
import type { Webhook } from "../contract.ts";

/** Only the response that creates a webhook contains these two. */
type NewWebhook = Webhook & { token: string; url: string };

export function SettingsWebhooks({ server }: { server: OwnServer }) {
  const { webhooks: words } = useWords();
  const channels = inOrder(server.channels).filter(({ type }) => type === "text");
  const [chosenId, setChosenId] = useState(channels[0]?.id);
  const channel = channels.find(({ id }) => id === chosenId) ?? channels[0];
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      {channel ? (
        <>
          <SelectField
            label={words.channel}
            value={channel.id}
            options={channels.map(({ id, name }) => ({ value: id, label: `# ${name}` }))}
            onChange={setChosenId}
          />
          <OfChannel key={channel.id} channelId={channel.id} channelName={channel.name} />
        </>
      ) : (
        <Entry>
          <Nothing>{words.noChannel}</Nothing>
        </Entry>
      )}
    </SettingsPage>
  );
}

/** The same in the settings of one channel. */
export function ChannelWebhooks({ channel }: { channel: OwnChannel }) {
  const { webhooks: words } = useWords();
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      {channel.type === "text" ? (
        <OfChannel channelId={channel.id} channelName={channel.name} />
      ) : (
        <Entry>
          <Nothing>{words.noChannel}</Nothing>
        </Entry>
      )}
    </SettingsPage>
  );
}

function OfChannel({ channelId, channelName }: { channelId: string; channelName: string }) {
  const { webhooks: words } = useWords();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<NewWebhook>();
  const load = useCallback(
    (signal: AbortSignal) => listWebhooks({ params: { channelID: channelId } }, signal),
    [channelId],
  );
  const fetched = useFetched(load);
  const isFull = (fetched.value?.length ?? 0) >= limits.webhooks_per_channel_max;
  return (
    <>
      <Entry>
        <Button
          icon={Plus}
          disabledBecause={isFull ? words.full(limits.webhooks_per_channel_max) : undefined}
          onClick={() => setMaking(true)}
        >
          {words.make}
        </Button>
        {isMaking && (
          <MakeWebhook
            channelId={channelId}
            channelName={channelName}
            onMade={(webhook) => {
              setMade(webhook);
              fetched.change((list) => withItem(list, webhook));
            }}
            onClose={() => setMaking(false)}
          />
        )}
      </Entry>
      <Entry label={`# ${channelName}`}>
        <WebhookList fetched={fetched} made={made} />
      </Entry>
    </>
  );
}

function WebhookList({ fetched, made }: { fetched: Fetched<Webhook[]>; made: NewWebhook | undefined }) {
  const { webhooks: words } = useWords();
  const ended = (id: string) => fetched.change((list) => list.filter((each) => each.id !== id));
  return (
    <Loaded of={fetched}>
      {(list) =>
        list.length === 0 ? (
          <Nothing>{words.none}</Nothing>
        ) : (
          <ItemList label={words.title}>
            {list.map((webhook) => (
              <WebhookItem
                key={webhook.id}
                webhook={webhook}
                made={made?.id === webhook.id ? made : undefined}
                onEnd={ended}
              />
            ))}
          </ItemList>
        )
      }
    </Loaded>
  );
}

interface MakeProps {
  channelId: string;
  channelName: string;
  onMade(webhook: NewWebhook): void;
  onClose(): void;
}

function MakeWebhook({ channelId, channelName, onMade, onClose }: MakeProps) {
  const { webhooks: words } = useWords();
  const act = useAct();
  const [name, setName] = useState("");
  const make = async () => onMade(await createWebhook({ params: { channelID: channelId }, body: { name } }));
  return (
    <FormDialog
      title={words.makeFor(channelName)}
      button={words.create}
      act={act}
      disabledBecause={name.trim() === "" ? words.nameFirst : undefined}
      onSend={() => void act.run(make, onClose)}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        value={name}
        maxLength={limits.webhook_name_max}
        hint={words.nameHint}
        autoFocus
        onChange={setName}
      />
    </FormDialog>
  );
}

interface ItemProps {
  webhook: Webhook;
  made: NewWebhook | undefined;
  onEnd(id: string): void;
}

function WebhookItem({ webhook: { id, name, created_at }, made, onEnd }: ItemProps) {
  const { webhooks: words } = useWords();
  const [isAsking, setAsking] = useState(false);
  const since = dateOf(new Date(created_at));
  async function end() {
    await untilGone(deleteWebhook({ params: { webhookID: id } }));
    onEnd(id);
  }
  return (
    <Item
      face={<Icon of={WebhookIcon} />}
      title={name}
      about={words.since(since)}
      actions={
        <Button isSmall kind="danger" aria-label={words.deleteOf(name)} onClick={() => setAsking(true)}>
          {words.delete}
        </Button>
      }
    >
      {made && <Address webhook={made} />}
      {isAsking && (
        <Confirm
          title={words.deleteTitle(name)}
          button={words.deleteWebhook}
          onConfirm={end}
          onClose={() => setAsking(false)}
        >
          <p>{words.deleteLead}</p>
        </Confirm>
      )}
    </Item>
  );
}

/** While the URL is shown, it can also be tested. */
function Address({ webhook: { id, token, url } }: { webhook: NewWebhook }) {
  const { webhooks: words } = useWords();
  const act = useAct();
  async function tryIt() {
    const body = { content: words.testMessage };
    if (await act.run(() => executeWebhook({ params: { webhookID: id, token }, body })))
      announce(words.tested);
  }
  return (
    <>
      <LinkField label={words.address} value={url} isShownOnce />
      <Button isSmall isBusy={act.isBusy} onClick={() => void tryIt()}>
        {words.test}
      </Button>
      <Refused by={act.error} />
    </>
  );
}
