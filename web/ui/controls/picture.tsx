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
  /** Called when the picture cannot be loaded. */
  onFail(): void;
}

/** The most tries: a picture may be refused because others use up the limit of concurrent fetches. */
const mostTries = 2;

export function Picture({ url, alt, size, className, onLoad, onFail }: Props) {
  const isOwn = ownPicture.test(url);
  const [turn, setTurn] = useState<Turn>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try waits for a turn of its own.
  useEffect(() => {
    if (isOwn) return;
    const waiting = new Turn(setTurn);
    return () => waiting.end();
  }, [url, tries]);
  if (!turn && !isOwn) return null;
  const failed = () => {
    turn?.end();
    if (tries + 1 < mostTries) setTries(tries + 1);
    else onFail();
  };
  return (
    <img
      key={tries}
      src={pictureAddress(url, size)}
      alt={alt}
      className={className}
      onLoad={(event) => {
        turn?.end();
        onLoad?.(event.currentTarget);
      }}
      onError={failed}
    />
  );
}

/** Returns the path at which this server has a picture: an own one, or one of another host. */
export function pictureAddress(url: string, size = 128): string {
  const [, name] = ownPicture.exec(url) ?? [];
  const pixels = size * devicePixelRatio;
  if (name) return `/avatars/${name}${pixels <= 64 ? "-64" : pixels <= 256 ? "" : "-512"}.webp`;
  return `/api/v1/pictures?url=${encodeURIComponent(url)}`;
}

class Turn {
  static readonly #under = new Set<Turn>();
  static #waiting: Turn[] = [];
  readonly #onTurn: (turn: Turn) => void;

  constructor(onTurn: (turn: Turn) => void) {
    this.#onTurn = onTurn;
    Turn.#waiting.push(this);
    Turn.#next();
  }

  end(): void {
    Turn.#under.delete(this);
    Turn.#waiting = Turn.#waiting.filter((each) => each !== this);
    Turn.#next();
  }

  static #next(): void {
    while (Turn.#under.size < limits.pictures_at_once_max) {
      const next = Turn.#waiting.shift();
      if (!next) return;
      Turn.#under.add(next);
      next.#onTurn(next);
    }
  }
}
