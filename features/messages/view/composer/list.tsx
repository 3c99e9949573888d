// The suggestion list, above the line of the caret.
import { Hash, SquareSlash, Users } from "lucide-react";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { Face } from "../../../../web/ui/controls/face.tsx";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import styles from "./list.module.css";
import type { Suggestion } from "./suggestion.ts";
import type { Sign } from "./tokens.ts";

const icons = { people: Users, channel: Hash, command: SquareSlash };

interface Props {
  id: string;
  sign: Sign;
  suggestions: readonly Suggestion[];
  active: number;
  /** Position of the caret's line: pixels from the start and from the bottom of the box. */
  place: { start: number; bottom: number };
  onPoint(key: string): void;
  onTake(suggestion: Suggestion): void;
}

export function SuggestionList({ id, sign, suggestions, active, place, onPoint, onTake }: Props) {
  const { composer: words } = useWords();
  return (
    <div
      id={id}
      role="listbox"
      aria-label={words.suggestions[sign]}
      className={styles.list}
      style={{ "--start": `${place.start}px`, bottom: place.bottom }}
      // Keeps the caret where it is.
      onPointerDown={(event) => event.preventDefault()}
    >
      {suggestions.map((each, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text field's, which points here.
        // biome-ignore lint/a11y/useFocusableInteractive: it is pointed at from there (aria-activedescendant).
        <div
          key={each.key}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === active}
          className={classNames(styles.option, i === active && styles.active)}
          onPointerMove={() => i !== active && onPoint(each.key)}
          onClick={() => onTake(each)}
        >
          <Front suggestion={each} />
          <b className={each.colour && "lit"} style={each.colour ? { "--user": each.colour } : undefined}>
            {each.label}
          </b>
          {each.note && <small>{each.note}</small>}
        </div>
      ))}
    </div>
  );
}

function Front({ suggestion: { face, emoji, icon, colour } }: { suggestion: Suggestion }) {
  if (face) return <Face id={face.id} name={face.name} picture={face.avatar} size={24} />;
  if (emoji)
    return (
      <span className={styles.emoji} aria-hidden="true">
        {emoji}
      </span>
    );
  if (icon) return <Icon of={icons[icon]} />;
  return <i className={styles.dot} style={{ "--user": colour }} aria-hidden="true" />;
}
