// Settings: the appearance of the page, on this device, applied immediately.
import { Contrast, Monitor, Moon, Sun } from "lucide-react";
import entry from "../ui/controls/entry.module.css";
import { Entry } from "../ui/controls/entry.tsx";
import { RadioGroup } from "../ui/controls/radio-group.tsx";
import { Slider } from "../ui/controls/slider.tsx";
import { SettingsPage } from "../ui/settings/settings-frame.tsx";
import { changeLook, textSizes, useLook } from "../ui/words/look.ts";
import { currentLocale, useWords } from "../ui/words/words.ts";
import { Sample } from "./sample.tsx";
import { ThemePicture } from "./theme-picture.tsx";

export function AppearancePage() {
  const { appearance: words } = useWords().settings;
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      <ThemeEntry />
      <DensityEntry />
      <TextSizeEntry />
      <SaturationEntry />
      <HoursEntry />
    </SettingsPage>
  );
}

function ThemeEntry() {
  const { appearance: words } = useWords().settings;
  const { theme } = useLook();
  return (
    <Entry label={words.theme}>
      <RadioGroup
        as="cards"
        label={words.theme}
        value={theme ?? "system"}
        onChange={(chosen) => changeLook({ theme: chosen === "system" ? undefined : chosen })}
        options={[
          {
            value: "system",
            label: words.themes.system,
            icon: Monitor,
            picture: <ThemePicture of={["paper", "night"]} />,
          },
          { value: "light", label: words.themes.light, icon: Sun, picture: <ThemePicture of={["paper"]} /> },
          { value: "dark", label: words.themes.dark, icon: Moon, picture: <ThemePicture of={["night"]} /> },
          {
            value: "contrast",
            label: words.themes.contrast,
            icon: Contrast,
            picture: <ThemePicture of={["bold"]} />,
          },
        ]}
      />
    </Entry>
  );
}

function DensityEntry() {
  const { appearance: words } = useWords().settings;
  const { density } = useLook();
  return (
    <Entry label={words.messages}>
      <RadioGroup
        label={words.messages}
        value={density ?? "cosy"}
        onChange={(chosen) => changeLook({ density: chosen === "cosy" ? undefined : chosen })}
        options={[
          { value: "cosy", label: words.cosy },
          { value: "compact", label: words.compact },
        ]}
      />
      <Sample />
    </Entry>
  );
}

function TextSizeEntry() {
  const { appearance: words } = useWords().settings;
  const { textSize = textSizes.byDefault } = useLook();
  return (
    <Entry label={words.textSize}>
      <Slider
        label={words.textSize}
        value={textSize}
        min={textSizes.min}
        max={textSizes.max}
        said={words.pixels(new Intl.NumberFormat(currentLocale()).format(textSize))}
        ends={[
          <span key="small" style={{ fontSize: textSizes.min }}>
            {words.letter}
          </span>,
          <span key="large" style={{ fontSize: textSizes.max }}>
            {words.letter}
          </span>,
        ]}
        onChange={(size) => changeLook({ textSize: size === textSizes.byDefault ? undefined : size })}
      />
    </Entry>
  );
}

function SaturationEntry() {
  const { appearance: words } = useWords().settings;
  const { saturation = 1 } = useLook();
  const percent = new Intl.NumberFormat(currentLocale(), { style: "percent" });
  return (
    <Entry label={words.saturation}>
      <Slider
        label={words.saturation}
        value={saturation * 100}
        min={0}
        max={100}
        step={5}
        said={percent.format(saturation)}
        onChange={(value) => changeLook({ saturation: value === 100 ? undefined : value / 100 })}
      />
      <p className={entry.hint}>{words.saturationHint}</p>
    </Entry>
  );
}

function HoursEntry() {
  const { appearance: words } = useWords().settings;
  const { hours } = useLook();
  const evening = new Date(2017, 6, 15, 18, 30);
  const shown = (hour12: boolean) =>
    evening.toLocaleTimeString(currentLocale(), { hour: "numeric", minute: "2-digit", hour12 });
  return (
    <Entry label={words.time}>
      <RadioGroup
        label={words.time}
        value={hours ? String(hours) : "language"}
        onChange={(chosen) => changeLook({ hours: chosen === "24" ? 24 : chosen === "12" ? 12 : undefined })}
        options={[
          { value: "language", label: words.asLanguage },
          { value: "24", label: shown(false) },
          { value: "12", label: shown(true) },
        ]}
      />
    </Entry>
  );
}
