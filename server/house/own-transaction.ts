// A transaction inside of another one: SQLite has one writer at a time, so the two would wait for each other for ever.

/** Work asked for a transaction of its own inside of another one: a shared commit runs it alone afterwards. */
export class OwnTransactionNeeded extends Error {
  constructor() {
    super("a transaction was asked for inside of another one");
  }
}
