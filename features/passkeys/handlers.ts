// Registering passkeys, signing in with them, and deleting them.
import { timeText } from "../../protocol/clock.ts";
import { full, notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Caller, type Feature, handle } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import { whenAsked } from "../../server/house/question.ts";
import { withHeaders } from "../../server/house/reply.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lockUser, selectUser } from "../accounts/access.ts";
import { settingsNow } from "../instance/access.ts";
import {
  openSession,
  ownSession,
  passkeysReduced,
  signedInByPasswordAt,
  warnByMail,
  withSession,
} from "../sessions/access.ts";
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

// The library is loaded on first use, which needs a session or a known key: loading takes a tenth of a second, and
// would make every start a fifth longer.
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
      if (challenge === undefined) throw refused();
      const { verifyAttestation } = await import("./verify.ts");
      const made = await verifyAttestation(relyingParty(house), challenge, body).catch((error) => {
        note(house, error);
        throw refused();
      });
      const name = body.name ?? keyName(request.userAgent);
      const row = { ...made, user_id: caller.userId, name, created_at: Date.now(), last_used_at: null };
      const user = await unit.write((write) => keepPasskey(write, caller, row));
      // A thief with a stolen session could have added the passkey, and it outlives a new password.
      if (user) warnByMail(house, user, "passkeyAdded");
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
      // As above: the challenge is taken before the answer is checked.
      const challenge = await takeChallenge(logins(house), request.raw.headers, null);
      const stored = challenge === undefined ? undefined : await selectPasskey(unit.db, body.id);
      if (challenge === undefined || !stored) throw wrongKey(house, null);
      const { verifyAssertion } = await import("./verify.ts");
      const said = await verifyAssertion(relyingParty(house), challenge, body, stored).catch((error) => {
        note(house, error);
        throw wrongKey(house, stored.user_id);
      });
      const token = await unit.write(async (write) => {
        // Everywhere the account is locked before its keys, so that transactions cannot deadlock.
        await lockUser(write, stored.user_id);
        if (await useOnce(write.db, stored.id, said.counter, said.backedUp)) {
          return openSession(write, stored.user_id, request, "passkey");
        }
        if (await selectPasskey(write.db, stored.id)) warnOfCopy(house, stored, said.counter);
        throw wrongKey(house, stored.user_id);
      });
      return withSession(house, { id: stored.user_id }, token);
    }),

    handle(contract.listPasskeys, async ({ caller, unit }) => {
      const user = await selectUser(unit.db, caller.userId);
      if (!user) throw notFound();
      const byPasswordAt = await signedInByPasswordAt(unit, user);
      return (await selectPasskeys(unit.db, user.id)).map((row) => ({
        id: row.id,
        name: row.name,
        created_at: timeText(row.created_at),
        last_used_at: row.last_used_at === null ? null : timeText(row.last_used_at),
        backed_up: row.backed_up === 1,
        newer_than_password: row.created_at > byPasswordAt,
      }));
    }),

    handle(contract.deletePasskey, async ({ caller, params, unit }) => {
      if (!(await deletePasskey(unit.db, caller.userId, params.id))) throw notFound();
      noteDeletion(unit, caller.userId, params.id);
    }),
  ],
  answers: [
    whenAsked(passkeysReduced, async (unit, userId, keptIds) => {
      for (const { id } of await selectPasskeys(unit.db, userId)) {
        if (!keptIds.includes(id) && (await deletePasskey(unit.db, userId, id)))
          noteDeletion(unit, userId, id);
      }
    }),
  ],
};

/** Stores a key. Returns the row of its owner. */
async function keepPasskey(write: UnitOfWork, caller: Caller, row: PasskeysTable) {
  const user = await lockUser(write, row.user_id);
  // A new password that ended the session meanwhile may have deleted the account's other keys.
  await ownSession(write, caller);
  refuseMore(await selectPasskeys(write.db, row.user_id));
  if (!(await insertPasskey(write.db, row))) {
    throw new Refusal("conflict", "This passkey is registered already.");
  }
  write.log({ user_id: row.user_id, passkey: row.id }, "a passkey was added");
  return user;
}

function noteDeletion(unit: UnitOfWork, userId: string, id: string): void {
  unit.log({ user_id: userId, passkey: id }, "a passkey was deleted");
}

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

/** Logs why a key was rejected. The caller, who may be an attacker, is not told. */
function note(house: House, error: unknown): void {
  house.log.debug({ reason: String(error).slice(0, 200) }, "a passkey was refused");
}

function refused(): Refusal {
  return new Refusal("invalid_request", "This passkey could not be registered. Begin again, in one browser.");
}

/** Logs the failure, with the id of the key's owner if there is one. */
function wrongKey({ log }: House, userId: string | null): Refusal {
  log.info({ user_id: userId }, "a sign-in by passkey failed");
  return new Refusal("invalid_credentials", "This passkey does not open an account here. Begin again.");
}
