// Bus items as text between processes of one release or two neighbouring ones: a line of JSON each, and frames as they are.
import type { BusItem, LiveFrame, LoggedEvent } from "./bus.ts";

type LoggedHead = [
  kind: "logged",
  stream: LoggedEvent["stream"],
  seq: number,
  audience: string,
  forgets: LoggedEvent["forgets"],
  version: number | null,
  touches: readonly string[],
  ends: string | null,
  home?: LoggedEvent["home"],
];
type LiveHead = [kind: "live", to: LiveFrame["to"], exceptUserId: string | null, id?: string];
type Head = LoggedHead | LiveHead | ["other", BusItem];

/** Returns the items as lines; a frame, which is JSON without line breaks, follows the line about it. */
export function encode(items: readonly BusItem[]): string {
  const lines: string[] = [];
  for (const item of items) {
    lines.push(JSON.stringify(headOf(item)));
    if (item.kind === "logged" || item.kind === "live") lines.push(item.frame);
  }
  return lines.join("\n");
}

function headOf(item: BusItem): Head {
  if (item.kind === "logged") {
    const { stream, seq, audience, forgets, version, touches, ends, home } = item;
    const head = ["logged", stream, seq, audience, forgets, version ?? null, touches, ends] as const;
    return home === undefined ? [...head] : [...head, home];
  }
  if (item.kind === "live") {
    const { to, exceptUserId = null, id } = item;
    return id === undefined ? ["live", to, exceptUserId] : ["live", to, exceptUserId, id];
  }
  return ["other", item];
}

/** Reads what `encode` wrote. Throws on any other text. */
export function decode(text: string): BusItem[] {
  const lines = text.split("\n").values();
  const items: BusItem[] = [];
  for (const line of lines) {
    const head = JSON.parse(line) as Head;
    if (head[0] === "other") items.push(head[1]);
    else items.push(withFrame(head, lines.next().value ?? ""));
  }
  return items;
}

function withFrame(head: LoggedHead | LiveHead, frame: string): BusItem {
  if (head[0] === "live") {
    const [, to, exceptUserId, id] = head;
    return { kind: "live", to, frame, ...(exceptUserId !== null && { exceptUserId }), ...(id && { id }) };
  }
  const [, stream, seq, audience, forgets, version, touches, ends, home] = head;
  return {
    kind: "logged",
    stream,
    seq,
    frame,
    audience,
    forgets,
    version: version ?? undefined,
    touches,
    ends,
    ...(home && { home }),
  };
}
