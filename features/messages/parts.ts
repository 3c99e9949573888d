// Parts of a message: fields whose values later features read, as reactions are. Each feature describes its part in the
// answer to one question, and only this file puts parts and messages together.
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { type Message, newParts, type Parts, type SharedMessage, type SharedParts } from "./contract.ts";

/** One part: a field of every message. */
export interface MessagePart<Field extends keyof Parts = keyof Parts> {
  readonly field: Field;
  /** Returns the reader's values by message id. A message without an entry has the value of a new message. */
  read(
    unit: UnitOfWork,
    readerId: string,
    messageIds: readonly string[],
  ): Promise<ReadonlyMap<string, Parts[Field]>>;
  /** Returns a value as events carry it: without its flags `me`. */
  share(value: Parts[Field]): SharedParts[Field];
  /** Undefined for a part that is the same for every reader. */
  readonly flags?: ReaderFlags<Parts[Field]>;
}

/** The members `me` of a part: the only thing in which the copies of a message for two readers may differ. */
interface ReaderFlags<Value> {
  /** Returns the flags of a value, in the order of their `me` in its JSON. */
  of(messageId: string, value: Value): readonly ReaderFlag[];
  /** Returns the ids of the people for whom each flag is true, by its name. Asked where there are few. */
  holders(unit: UnitOfWork, messageIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** Returns the names of the flags that are true for this person. */
  heldBy(unit: UnitOfWork, userId: string, messageIds: readonly string[]): Promise<ReadonlySet<string>>;
}

interface ReaderFlag {
  /** Unique among the flags of all messages. */
  name: string;
  /** The number of people for whom it is true. */
  count: number;
}

/** Asks for the parts of messages that later features look after. */
export const messageParts = question<[], MessagePart>("messages.messageParts");

const fields = Object.keys(newParts);

type Plain = Omit<Message, keyof Parts>;

/** Adds the parts to messages, as this reader gets them. */
export async function withParts(
  unit: UnitOfWork,
  readerId: string,
  plain: readonly Plain[],
): Promise<Message[]> {
  const messages = plain.map((message) => ({ ...message, ...newParts }));
  const ids = plain.map(({ id }) => id);
  for (const { field, read } of await unit.ask(messageParts)) {
    const values = await read(unit, readerId, ids);
    for (const message of messages) message[field] = values.get(message.id) ?? newParts[field];
  }
  return messages;
}

/** Returns the message as every listener gets it. */
export async function toShared(unit: UnitOfWork, message: Message): Promise<SharedMessage> {
  const shared: SharedMessage = { ...message };
  for (const { field, share } of await unit.ask(messageParts)) shared[field] = share(message[field]);
  return shared;
}

/** The flags of some messages, in the order of their JSON, and where to look them up. */
interface FlagsOfPage {
  readonly flags: readonly ReaderFlag[];
  holders(unit: UnitOfWork): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  heldBy(unit: UnitOfWork, userId: string): Promise<ReadonlySet<string>>;
}

export async function flagsOfPage(unit: UnitOfWork, messages: readonly Message[]): Promise<FlagsOfPage> {
  // In the order of the JSON, whichever feature comes first.
  const parts = (await unit.ask(messageParts)).toSorted(
    (one, other) => fields.indexOf(one.field) - fields.indexOf(other.field),
  );
  const flags: ReaderFlag[] = [];
  const flagged = new Map<ReaderFlags<never>, string[]>();
  for (const message of messages)
    for (const { field, flags: own } of parts) {
      const found = own?.of(message.id, message[field]) ?? [];
      if (!own || found.length === 0) continue;
      flags.push(...found);
      flagged.set(own, [...(flagged.get(own) ?? []), message.id]);
    }
  return {
    flags,
    async holders(unit) {
      const answers = [];
      for (const [own, ids] of flagged) answers.push(...(await own.holders(unit, ids)));
      return new Map(answers);
    },
    async heldBy(unit, userId) {
      const names: string[] = [];
      for (const [own, ids] of flagged) names.push(...(await own.heldBy(unit, userId, ids)));
      return new Set(names);
    },
  };
}
