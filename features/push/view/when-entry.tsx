// Settings: whether browsers also get notifications while the person uses Hearth.
import { useCallback } from "react";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { RadioGroup } from "../../../web/ui/controls/radio-group.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { getPushSettings, setPushSettings } from "../../notifications/calls.ts";
import { obstacleNow } from "./subscribing.ts";

/** Without https there are no browsers to notify. */
export function WhenEntry() {
  return obstacleNow() === "needsHttps" ? null : <When />;
}

function When() {
  const { notifications: words } = useWords();
  const settings = useFetched(useCallback((signal: AbortSignal) => getPushSettings({}, signal), []));
  const act = useAct();
  const choose = async (when: "away" | "always") => {
    const { value } = settings;
    settings.change(() => ({ when }));
    const isSet = await act.run(() => setPushSettings({ body: { when } }));
    if (!isSet && value) settings.change(() => value);
  };
  return (
    <Entry label={words.when}>
      <Loaded of={settings}>
        {({ when }) => (
          <RadioGroup
            as="list"
            label={words.when}
            value={when}
            onChange={(wanted) => void choose(wanted)}
            options={[
              { value: "away", label: words.whenAway, hint: words.whenAwayHint },
              { value: "always", label: words.whenAlways, hint: words.whenAlwaysHint },
            ]}
          />
        )}
      </Loaded>
      <Refused by={act.error} />
    </Entry>
  );
}
