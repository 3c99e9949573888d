// Several processes on one PostgreSQL: they learn of each other through tables, as the house asks of `OtherProcesses`.
import type { Database } from "../database/database.ts";
import { noOthers, type OtherProcesses } from "../house/others.ts";
import { forgetConnections } from "./connections-table.ts";
import { Leases } from "./leases.ts";
import { forgetNotices, leaveNotices } from "./notices.ts";
import { forgetEnded, TableShortLived } from "./short-lived-table.ts";

export function otherProcesses(database: Database): OtherProcesses {
  if (database.engine !== "postgres") return noOthers;
  const leases = new Leases(database);
  return {
    leaveNotices: (db, units, logged) => leaveNotices(database, db, units, logged),
    claim: (name, work) => leases.run(name, work),
    release: () => leases.release(),
    shortLived: (kind) => new TableShortLived(database, kind),
    jobs: [forgetNotices, forgetEnded, forgetConnections],
  };
}
