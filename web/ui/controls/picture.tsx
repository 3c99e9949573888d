// A picture of another host, fetched by this server: few at a time, because it limits concurrent fetches per person. A
// picture that people uploaded to this server is loaded from its own address.
import { useEffect, useState } from "react";
import { limits } from "../../../protocol/limits.ts";
import { ownPicture } from "../../../protocol/own-picture.ts";

interface Props {
  url: string;
  /** The alternative text; empty when the name is beside the picture. */
  alt: string;
  /** The side at which it is shown, in pixels of the page; an own picture has three sizes. */
  size?: number;
  className?: string | undefined;
  onLoad?(picture: HTMLImageElement): void;
  /** Called when the picture cannot be loaded; it is then taken away, which ends its turn. */
  onFail(): void;
}

/** Addresses of pictures that have loaded. */
export const loaded = new Set<string>();

export function Picture({ url, alt, size, className, onLoad, onFail }: Props) {
  const isOwn = ownPicture.test(url);
  const [turn, setTurn] = useState<Turn>();
  // A second try: a picture may be refused because others use up the limit of concurrent fetches.
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    if (isOwn) return;
    const mine: Turn = { url, begin: setTurn };
    turns.add(mine);
    beginTurns();
    return () => end(mine);
  }, [url, isOwn]);
  if (!turn && !isOwn) return null;
  return (
    <img
      key={failures}
      // Another Hearth has pictures at such addresses, too.
      src={failures && isOwn ? fetchedAddress(url) : pictureAddress(url, size)}
      alt={alt}
      className={className}
      onLoad={(event) => {
        loaded.add(url);
        if (turn) end(turn);
        onLoad?.(event.currentTarget);
      }}
      onError={() => (failures ? onFail() : setFailures(1))}
    />
  );
}

/** Returns the path at which this server has a picture: an own one, or one of another host. */
export function pictureAddress(url: string, size = 128): string {
  const [, name] = ownPicture.exec(url) ?? [];
  const pixels = size * devicePixelRatio;
  if (name) return `/avatars/${name}${pixels <= 64 ? "-64" : pixels <= 256 ? "" : "-512"}.webp`;
  return fetchedAddress(url);
}

function fetchedAddress(url: string): string {
  return `/api/v1/pictures?url=${encodeURIComponent(url)}`;
}

interface Turn {
  url: string;
  hasBegun?: boolean;
  begin(turn: Turn): void;
}

/** Elements that load their pictures, and those that wait, in the order in which they came. */
const turns = new Set<Turn>();

/** Begins as many as the limit allows: one at a time for an address, unless the browser has its picture. */
function beginTurns(): void {
  const begun = [...turns].filter(({ hasBegun }) => hasBegun);
  for (const turn of turns) {
    if (begun.length >= limits.pictures_at_once_max) return;
    if (turn.hasBegun || (begun.some(({ url }) => url === turn.url) && !loaded.has(turn.url))) continue;
    turn.hasBegun = true;
    begun.push(turn);
    turn.begin(turn);
  }
}

function end(turn: Turn): void {
  turns.delete(turn);
  beginTurns();
}
