// The overview in a channel's settings: its name, topic and category, and its deletion.
import { Hash, Trash2, Volume2 } from "lucide-react";
import { useMemo, useState } from "react";
import { limits } from "../../../../protocol/limits.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Entry, Field } from "../../../../web/ui/controls/entry.tsx";
import { useDraft } from "../../../../web/ui/settings/draft.ts";
import { SettingsPage } from "../../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { updateChannel } from "../../calls.ts";
import { CategoryChoice } from "../category-choice.tsx";
import { DeleteChannel } from "../delete-channel.tsx";
import styles from "./overview.module.css";
import type { PageProps } from "./permissions-page.tsx";

export function OverviewPage({ server, channel }: PageProps) {
  const { channelSettings: words, channels } = useWords();
  const [isAsking, setAsking] = useState(false);
  const { name, topic, category } = channel;
  const saved = useMemo(
    () => ({ name, topic: topic ?? "", category: category ?? "" }),
    [name, topic, category],
  );
  const draft = useDraft(saved, (changes) => {
    const body = {
      ...(changes.name !== undefined && { name: changes.name.trim() }),
      ...(changes.topic !== undefined && { topic: changes.topic.trim() || null }),
      ...(changes.category !== undefined && { category: changes.category.trim() || null }),
    };
    return updateChannel({ params: { id: channel.id }, body });
  });
  return (
    <SettingsPage title={words.overview} draft={draft}>
      <Field
        label={words.name}
        sign={channel.type === "voice" ? Volume2 : Hash}
        value={draft.values.name}
        maxLength={limits.channel_name_max}
        autoComplete="off"
        problem={draft.problem("name")}
        isChanged={draft.changed.has("name")}
        onChange={(event) => draft.set("name", event.target.value)}
      />
      <Field
        label={words.topic}
        value={draft.values.topic}
        maxLength={limits.channel_topic_max}
        autoComplete="off"
        hint={words.topicHint}
        problem={draft.problem("topic")}
        isChanged={draft.changed.has("topic")}
        onChange={(event) => draft.set("topic", event.target.value)}
      />
      <CategoryChoice
        channels={server.channels}
        value={draft.values.category}
        inLedger={{ isChanged: draft.changed.has("category") }}
        onChange={(value) => draft.set("category", value)}
      />
      <Entry label={words.end}>
        <p className={styles.lead}>
          {channel.type === "voice" ? channels.deleteVoiceLead : channels.deleteLead}
        </p>
        <Button kind="danger" icon={Trash2} onClick={() => setAsking(true)}>
          {channels.delete}
        </Button>
        {isAsking && <DeleteChannel channel={channel} onClose={() => setAsking(false)} />}
      </Entry>
    </SettingsPage>
  );
}
