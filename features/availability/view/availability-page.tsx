// Settings: the hours of the week in which the user can be reached.
import { useCallback } from "react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { SelectField } from "../../../web/ui/controls/select.tsx";
import { Switch } from "../../../web/ui/controls/switch.tsx";
import { Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { type Draft, useDraft } from "../../../web/ui/settings/draft.ts";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { weekdayAndTime } from "../../../web/ui/words/days.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { getMyAvailability, setAvailability } from "../calls.ts";
import type { Availability } from "../contract.ts";
import { Hours } from "./hours.tsx";
import { inOrder, timeZones, zoneOfDevice } from "./week.ts";

type Saved = Pick<Availability, "time_zone" | "windows" | "dnd_outside">;

export function AvailabilityPage() {
  const { availability: words } = useWords();
  const hours = useFetched(useCallback((signal: AbortSignal) => getMyAvailability({}, signal), []));
  if (hours.value) return <Form saved={hours.value} onSaved={(now) => hours.change(() => now)} />;
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      <Entry>
        <Loaded of={hours}>{() => null}</Loaded>
      </Entry>
    </SettingsPage>
  );
}

function Form({ saved, onSaved }: { saved: Availability; onSaved(now: Availability): void }) {
  const { availability: words } = useWords();
  const { time_zone, dnd_outside } = saved;
  const before: Saved = { time_zone, windows: inOrder(saved.windows), dnd_outside };
  const draft = useDraft<Saved>(before, async (changes) => {
    // The call replaces all of them, and the others may have been changed on another device since.
    const { time_zone, windows, dnd_outside } = await getMyAvailability({});
    onSaved(await setAvailability({ body: { time_zone, windows, dnd_outside, ...changes } }));
  });
  const { windows, dnd_outside: isSilent } = draft.values;
  return (
    <SettingsPage title={words.title} lead={words.lead} draft={draft}>
      <Zone draft={draft} />
      <Entry
        label={words.hours}
        isChanged={draft.changed.has("windows")}
        isBad={draft.problem("windows") !== undefined}
      >
        <Hours
          windows={windows}
          problem={draft.problem("windows")}
          onChange={(next) => draft.set("windows", next)}
        />
      </Entry>
      <Entry label={words.outside} isChanged={draft.changed.has("dnd_outside")}>
        <Switch
          label={words.dnd}
          hint={words.dndHint}
          isOn={isSilent}
          disabledBecause={windows.length === 0 && !isSilent ? words.dndNeedsHours : undefined}
          onChange={(isOn) => draft.set("dnd_outside", isOn)}
        />
      </Entry>
    </SettingsPage>
  );
}

function Zone({ draft }: { draft: Draft<Saved> }) {
  const { availability: words } = useWords();
  const { time_zone: zone } = draft.values;
  const here = zoneOfDevice();
  return (
    <>
      <SelectField
        label={words.zone}
        hint={words.zoneHint(weekdayAndTime(new Date(), zone))}
        problem={draft.problem("time_zone")}
        isChanged={draft.changed.has("time_zone")}
        value={zone}
        options={timeZones(zone).map((value) => ({ value, label: value.replaceAll("_", " ") }))}
        onChange={(value) => draft.set("time_zone", value)}
      />
      {here !== zone && (
        <Entry>
          <Button isSmall onClick={() => draft.set("time_zone", here)}>
            {words.zoneOfDevice(here.replaceAll("_", " "))}
          </Button>
        </Entry>
      )}
    </>
  );
}
