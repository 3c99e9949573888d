// Registering passkeys, signing in with them, and deleting them.
import { timeText } from "../../protocol/clock.ts";
import { full, notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import { withHeaders } from "../../server/house/reply.ts";
import { lockUser, selectUser } from "../accounts/access.ts";
import { settingsNow } from "../instance/access.ts";
import { openSession, withSession } from "../sessions/access.ts";
import {
  askForAnyKey,
  cookieFor,
  issueChallenge,
  logins,
  registrations,
  takeChallenge,
} from "./challenges.ts";
import * as contract from "./contract.ts";
import { keyName } from "./key-name.ts";
import { relyingParty } from "./relying-party.ts";
import {
  deletePasskey,
  insertPasskey,
  type PasskeysTable,
  passkeyMigrations,
  selectPasskey,
  selectPasskeys,
  useOnce,
} from "./store.ts";

// The library is loaded by its first use, which needs a session or a known key: it takes a tenth of a second, and would
// make every start a fifth longer.
export const passkeys: Feature = {
  name: "passkeys",
  migrations: passkeyMigrations,
  operations: [
    handle(contract.beginPasskey, async ({ caller, unit }) => {
      const { house } = unit;
      const user = await selectUser(unit.db, caller.userId);
      if (!user) throw notFound();
      const own = await selectPasskeys(unit.db, user.id);
      refuseMore(own);
      const { askForNewKey } = await import("./asking.ts");
      const { name } = await settingsNow(unit);
      const publicKey = await askForNewKey({ id: relyingParty(house).id, name }, user, own);
      const key = await issueChallenge(registrations(house), publicKey.challenge, user.id);
      return withHeaders({ publicKey }, cookieFor(house, key));
    }),

    handle(contract.addPasskey, async ({ caller, body, unit, request }) => {
      const { house } = unit;
      // The challenge is taken before anything is checked: of the same answer sent twice at once, the second finds
      // none.
      const challenge = await takeChallenge(registrations(house), request.raw.headers, caller.userId);
      const us = relyingParty(house);
      if (challenge === undefined) throw refused();
      const { verifyAttestation } = await import("./verify.ts");
      const made = await verifyAttestation(us, challenge, body).catch((error) => {
        note(house, error);
        throw refused();
      });
      const name = body.name ?? keyName(request.userAgent);
      await unit.write(async (write) => {
        await lockUser(write, caller.userId);
        refuseMore(await selectPasskeys(write.db, caller.userId));
        const row = { ...made, user_id: caller.userId, name, created_at: Date.now(), last_used_at: null };
        if (!(await insertPasskey(write.db, row))) {
          throw new Refusal("conflict", "This passkey is registered already.");
        }
      });
      return { id: made.id, name };
    }),

    handle(contract.beginPasskeyLogin, async ({ unit }) => {
      const { house } = unit;
      const publicKey = askForAnyKey(relyingParty(house).id);
      const key = await issueChallenge(logins(house), publicKey.challenge, null);
      return withHeaders({ publicKey }, cookieFor(house, key));
    }),

    handle(contract.loginWithPasskey, async ({ body, unit, request }) => {
      const { house } = unit;
      // As above: the challenge is taken, then the answer checked.
      const challenge = await takeChallenge(logins(house), request.raw.headers, null);
      const us = relyingParty(house);
      if (challenge === undefined) throw wrongKey();
      const stored = await selectPasskey(unit.db, body.id);
      if (!stored) throw wrongKey();
      const { verifyAssertion } = await import("./verify.ts");
      const said = await verifyAssertion(us, challenge, body, stored).catch((error) => {
        note(house, error);
        throw wrongKey();
      });
      const token = await unit.write(async (write) => {
        if (await useOnce(write.db, stored.id, said.counter, said.backedUp)) {
          return openSession(write, stored.user_id, request);
        }
        if (await selectPasskey(write.db, stored.id)) warnOfCopy(house, stored, said.counter);
        throw wrongKey();
      });
      return withSession(house, { id: stored.user_id }, token);
    }),

    handle(contract.listPasskeys, async ({ caller, unit }) =>
      (await selectPasskeys(unit.db, caller.userId)).map((row) => ({
        id: row.id,
        name: row.name,
        created_at: timeText(row.created_at),
        last_used_at: row.last_used_at === null ? null : timeText(row.last_used_at),
        backed_up: row.backed_up === 1,
      })),
    ),

    handle(contract.deletePasskey, async ({ caller, params, unit }) => {
      if (!(await deletePasskey(unit.db, caller.userId, params.id))) throw notFound();
    }),
  ],
};

function refuseMore(own: readonly PasskeysTable[]): void {
  if (own.length < limits.passkeys_max) return;
  throw full("One person can have", limits.passkeys_max, "passkeys");
}

function warnOfCopy(house: House, { id, user_id, counter }: PasskeysTable, said: number): void {
  house.log.warn(
    { user_id, passkey: id, counter, said },
    "a passkey signed with a count that is not new: there may be a copy of it",
  );
}

/** Logs why a key was refused. The caller, who may be an attacker, learns nothing. */
function note(house: House, error: unknown): void {
  house.log.debug({ reason: String(error).slice(0, 200) }, "a passkey was refused");
}

function refused(): Refusal {
  return new Refusal("invalid_request", "This passkey could not be registered. Begin again, in one browser.");
}

function wrongKey(): Refusal {
  return new Refusal("invalid_credentials", "This passkey does not open an account here. Begin again.");
}
