// The choice of a channel's category: none, one of those that the server has, or a new one.
import { useState } from "react";
import { limits } from "../../../protocol/limits.ts";
import { Field } from "../../../web/ui/controls/entry.tsx";
import { SelectField } from "../../../web/ui/controls/select.tsx";
import { Choice, TextField } from "../../../web/ui/controls/text-field.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannels } from "../state.ts";
import { byCategory } from "./order.ts";

interface Props {
  channels: OwnChannels;
  /** Empty: none. */
  value: string;
  /** In the settings: rows of the ledger, which show that they were changed. */
  inLedger?: { isChanged: boolean };
  onChange(category: string): void;
}

/** Values of the select: a category behind a sign, so that none can be called like the other two. */
const none = "none";
const fresh = "new";

export function CategoryChoice({ channels, value, inLedger, onChange }: Props) {
  const { channels: words } = useWords();
  const categories = byCategory(channels).flatMap(([each]) => each ?? []);
  const [isNew, setNew] = useState(value !== "" && !categories.includes(value));
  const options = [
    { value: none, label: words.withoutCategory },
    ...categories.map((each) => ({ value: `= ${each}`, label: each })),
    { value: fresh, label: words.newCategory },
  ];
  function choose(next: string) {
    setNew(next === fresh);
    onChange(next.startsWith("= ") ? next.slice(2) : "");
  }
  const select = {
    label: words.category,
    value: isNew ? fresh : value === "" ? none : `= ${value}`,
    options,
    onChange: choose,
  };
  const name = {
    label: words.nameOfCategory,
    value,
    maxLength: limits.category_max,
    autoComplete: "off",
    autoFocus: true,
  };
  return inLedger ? (
    <>
      <SelectField {...select} {...inLedger} />
      {isNew && <Field {...name} {...inLedger} onChange={(event) => onChange(event.target.value)} />}
    </>
  ) : (
    <>
      <Choice {...select} />
      {isNew && <TextField {...name} onChange={onChange} />}
    </>
  );
}
