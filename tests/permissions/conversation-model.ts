// A plain model of conversations, with which the server's answers and what sockets hear are compared.

interface Talk {
  isGroup: boolean;
  /** By when they came; the first one left owns a group. */
  people: number[];
  owner: number;
  hiddenFrom: Set<number>;
  /** Rises with each conversation and each message. */
  newest: number;
}

/** People with numbers, one server that some of them share, and what they do to each other. */
export class ConversationModel {
  readonly talks: Talk[] = [];
  readonly #members: Set<number>;
  readonly #blocks = new Set<string>();
  readonly #closed = new Set<number>();
  #newest = 0;

  constructor(people: number) {
    this.#members = new Set(Array.from({ length: people }, (_, person) => person));
  }

  #shares(one: number, other: number): boolean {
    return this.#members.has(one) && this.#members.has(other);
  }

  #isBlockedBy(one: number, other: number): boolean {
    return this.#blocks.has(`${one} ${other}`);
  }

  #reach(by: number, others: readonly number[]): number | undefined {
    if (others.some((other) => !this.#shares(by, other))) return 404;
    const isRefused = (other: number) =>
      this.#isBlockedBy(by, other) || this.#isBlockedBy(other, by) || this.#closed.has(other);
    return others.some(isRefused) ? 403 : undefined;
  }

  open(by: number, asked: readonly number[]): number {
    const others = [...new Set(asked)].filter((person) => person !== by);
    if (others.length === 0) return 400;
    if (others.length > 1) {
      const refused = this.#reach(by, others);
      if (refused) return refused;
      this.talks.push({
        isGroup: true,
        people: [by, ...others],
        owner: by,
        hiddenFrom: new Set(),
        newest: ++this.#newest,
      });
      return 201;
    }
    const known = this.talks.find(
      ({ isGroup, people }) => !isGroup && people.includes(by) && people.includes(others[0] ?? -1),
    );
    known?.hiddenFrom.delete(by);
    if (known) return 200;
    const refused = this.#reach(by, others);
    if (refused) return refused;
    this.talks.push({
      isGroup: false,
      people: [by, ...others],
      owner: -1,
      hiddenFrom: new Set(others),
      newest: ++this.#newest,
    });
    return 201;
  }

  /** Returns the status, and those who hear the message. */
  speak(by: number, talk: Talk): [status: number, hearers: readonly number[]] {
    if (!talk.people.includes(by)) return [404, []];
    const [one = -1, other = -1] = talk.people;
    if (!talk.isGroup && (this.#isBlockedBy(one, other) || this.#isBlockedBy(other, one))) return [403, []];
    talk.hiddenFrom.clear();
    talk.newest = ++this.#newest;
    return [201, [...talk.people]];
  }

  add(by: number, talk: Talk, who: number): number {
    if (!talk.people.includes(by)) return 404;
    if (!talk.isGroup) return 409;
    if (talk.people.includes(who)) return 204;
    const refused = this.#reach(by, [who]);
    if (refused) return refused;
    talk.people.push(who);
    return 204;
  }

  remove(by: number, talk: Talk, who: number): number {
    if (!talk.people.includes(by)) return 404;
    if (!talk.isGroup) return 409;
    if (!talk.people.includes(who)) return 404;
    if (by !== who && by !== talk.owner) return 403;
    talk.people = talk.people.filter((person) => person !== who);
    talk.hiddenFrom.delete(who);
    if (talk.owner === who) talk.owner = talk.people[0] ?? -1;
    return 204;
  }

  hide(by: number, talk: Talk): number {
    if (!talk.people.includes(by)) return 404;
    talk.hiddenFrom.add(by);
    return 204;
  }

  /** People who share neither a server nor a conversation do not know each other. */
  block(by: number, who: number, isBlocked: boolean): number {
    if (by === who) return 400;
    const talk = this.talks.some(({ people }) => people.includes(by) && people.includes(who));
    if (!talk && !this.#shares(by, who) && !this.#isBlockedBy(by, who)) return 404;
    if (isBlocked) this.#blocks.add(`${by} ${who}`);
    else this.#blocks.delete(`${by} ${who}`);
    return 204;
  }

  leaveServer(by: number): number {
    return this.#members.delete(by) ? 204 : 404;
  }

  joinServer(by: number): number {
    this.#members.add(by);
    return 200;
  }

  close(by: number, isClosed: boolean): number {
    if (isClosed) this.#closed.add(by);
    else this.#closed.delete(by);
    return 200;
  }

  /** The conversations in a person's list, in the order in which they began. */
  listOf(person: number): { number: number; people: readonly number[]; owner: number; newest: number }[] {
    return this.talks.flatMap(({ people, hiddenFrom, owner, newest }, number) =>
      people.includes(person) && !hiddenFrom.has(person) ? [{ number, people, owner, newest }] : [],
    );
  }
}
