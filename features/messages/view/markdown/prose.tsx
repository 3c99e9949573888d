// Renders the text of a message as elements, without any HTML string.
import { Fragment, memo, type ReactNode, useMemo } from "react";
import { isOnlyEmoji } from "../../../../protocol/emoji-text.ts";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { Link } from "../../../../web/ui/navigation/link.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { ownPath } from "../../text/address.ts";
import type { Names } from "../../text/calls.ts";
import type { Block, Inline } from "../../text/tree.ts";
import { CallPill } from "./call-pill.tsx";
import { CodeBlock } from "./code-block.tsx";
import { directionOf } from "./direction.ts";
import { withLongWords } from "./long-words.tsx";
import styles from "./prose.module.css";
import { read } from "./read.ts";
import { Spoiler } from "./spoiler.tsx";

interface Props {
  content: string;
  names: Names;
  /** The server of the message's channel. */
  serverId: string | null;
  /** Follows the last word, for example the note that the message was edited. */
  end?: ReactNode;
}

export const Prose = memo(function Prose({ content, names, serverId, end }: Props) {
  const blocks = useMemo(() => read(content, names), [content, names]);
  const isLarge = isOnlyEmoji(content);
  return (
    <div className={classNames(styles.prose, isLarge && styles.large)}>
      <Blocks blocks={blocks} serverId={serverId} end={end} />
    </div>
  );
});

interface BlocksProps {
  blocks: readonly Block[];
  serverId: string | null;
  end?: ReactNode;
}

function Blocks({ blocks, serverId, end }: BlocksProps) {
  const last = blocks.at(-1)?.kind;
  const goesInside = last === "paragraph" || last === "heading";
  return (
    <>
      {blocks.map((block, i) => (
        <BlockView
          // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other order.
          key={i}
          block={block}
          serverId={serverId}
          end={goesInside && i === blocks.length - 1 ? end : undefined}
        />
      ))}
      {!goesInside && end}
    </>
  );
}

function BlockView({ block, serverId, end }: { block: Block; serverId: string | null; end: ReactNode }) {
  switch (block.kind) {
    case "paragraph":
      return (
        <p>
          <Inlines parts={block.children} serverId={serverId} />
          {end}
        </p>
      );
    case "heading":
      // Not a heading element: screen reader users would stumble over everyone's headings.
      return (
        <p className={styles.heading}>
          <Inlines parts={block.children} serverId={serverId} />
          {end}
        </p>
      );
    case "code":
      return <CodeBlock language={block.language} text={block.text} />;
    case "quote":
      return (
        <blockquote dir={directionOf(block.children)}>
          <Blocks blocks={block.children} serverId={serverId} />
        </blockquote>
      );
    case "list":
      return <List block={block} serverId={serverId} />;
  }
}

function List({ block, serverId }: { block: Block & { kind: "list" }; serverId: string | null }) {
  const items = block.items.map((item, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other order.
    <li key={i} dir={directionOf(item)}>
      <Blocks blocks={item} serverId={serverId} />
    </li>
  ));
  return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
}

function Inlines({ parts, serverId }: { parts: readonly Inline[]; serverId: string | null }) {
  return parts.map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other order.
    <Fragment key={i}>
      {typeof part === "string" ? withLongWords(part) : <InlineView part={part} serverId={serverId} />}
    </Fragment>
  ));
}

function InlineView({ part, serverId }: { part: Exclude<Inline, string>; serverId: string | null }) {
  switch (part.kind) {
    case "break":
      return <br />;
    case "code":
      return <code>{withLongWords(part.text)}</code>;
    case "call":
      return <CallPill what={part.what} id={part.id} text={part.text} serverId={serverId} />;
    case "link":
      return <TextLink part={part} serverId={serverId} />;
    default: {
      const inside = <Inlines parts={part.children} serverId={serverId} />;
      if (part.kind === "strong") return <strong>{inside}</strong>;
      if (part.kind === "emphasis") return <em>{inside}</em>;
      if (part.kind === "strike") return <s>{inside}</s>;
      return <Spoiler>{inside}</Spoiler>;
    }
  }
}

/** Links to our channels and messages stay in the page; others open a new page, without opener and referrer. */
function TextLink({ part, serverId }: { part: Extract<Inline, { kind: "link" }>; serverId: string | null }) {
  const { messages: words } = useWords();
  const own = ownPath(part.href, location.origin);
  const inside = <Inlines parts={part.children} serverId={serverId} />;
  if (own !== undefined) return <Link href={own}>{inside}</Link>;
  return (
    <a href={part.href} title={part.title || part.href} target="_blank" rel="noopener noreferrer">
      {inside}
      <span className="visually-hidden"> {words.opensAnew}</span>
    </a>
  );
}
