// A pool of connections that each hold a read transaction over several statements; grows when all are in use.

interface Snapshots<Connection> {
  /** When all connections are in use, waits for one, first come, first served. */
  run<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Waits for connections in use; each is passed to `closing` first. */
  close(closing: (connection: Connection) => void): Promise<void>;
}

export function snapshotConnections<
  Connection extends { connection: { inTransaction: boolean; exec(sql: string): void; close(): void } },
>(most: number, open: () => Connection): Snapshots<Connection> {
  const free: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  let count = 0;

  async function take(): Promise<Connection> {
    if (free.length > 0 || count === most) return takeOpen();
    const opened = open();
    count++;
    return opened;
  }

  async function takeOpen(): Promise<Connection> {
    return free.pop() ?? new Promise((resolve) => waiting.push(resolve));
  }

  function giveBack(each: Connection): void {
    const next = waiting.shift();
    if (next) next(each);
    else free.push(each);
  }

  return {
    async run(work) {
      const each = await take();
      try {
        each.connection.exec("BEGIN");
        try {
          return await work(each);
        } finally {
          // A failed read from the disk has already ended the transaction.
          if (each.connection.inTransaction) each.connection.exec("COMMIT");
        }
      } finally {
        giveBack(each);
      }
    },
    async close(closing) {
      // Snapshots in use end soon, as each gives other work its turn.
      for (; count > 0; count--) {
        const each = await takeOpen();
        closing(each);
        each.connection.close();
      }
    },
  };
}
