// Requesting a link by e-mail, and setting a new password with it.
import { Refusal } from "../../protocol/errors.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import { whenAsked } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { mailer } from "../../server/mail.ts";
import { tokenHash } from "../../server/tokens.ts";
import { lockUser, setPasswordHash } from "../accounts/access.ts";
import {
  endSessions,
  forgetFailures,
  notePasswordByLink,
  passkeysReduced,
  passwordRehashed,
  warnByMail,
} from "../sessions/access.ts";
import { keepLinks, passwordMark } from "./access.ts";
import * as contract from "./contract.ts";
import { checkMail } from "./doctor.ts";
import { resetRequests } from "./requests.ts";
import { deleteLinks, linkLivesMs, passwordResetMigrations, selectLink, spendLink } from "./store.ts";

export const passwordResets: Feature = {
  name: "password-resets",
  migrations: passwordResetMigrations,
  operations: [
    handle(contract.forgotPassword, async ({ body, unit }) => {
      if (!unit.house.config.mail) {
        throw new Refusal(
          "not_configured",
          "This server sends no mail. Ask its operator for a link: hearth admin reset-link.",
        );
      }
      resetRequests(unit.house).add(body.email);
    }),

    handle(contract.resetPassword, async ({ body, unit }) => {
      const { house } = unit;
      const hash = tokenHash(body.token);
      // Checked before the slow part, so that a made-up token costs no password hash.
      if (!(await selectLink(unit.db, hash, Date.now()))) throw invalidToken();
      const passwordHash = await house.passwords.hash(body.new_password);
      const user = await unit.write(async (write) => {
        const account = await setPassword(write, hash, passwordHash);
        if (body.keep_passkeys) await write.ask(passkeysReduced, account.id, body.keep_passkeys);
        return account;
      });
      await forgetFailures(house, user);
      warnByMail(house, user, "passwordChanged");
    }),
  ],
  answers: [whenAsked(passwordRehashed, keepLinks)],
  jobs: [
    { name: "delete old links for passwords", everyMs: 600_000, deletesByAge: true, run: deleteOldLinks },
  ],
  checks: [{ about: "mail", look: checkMail }],
  close(house) {
    resetRequests(house).close();
    mailer(house)?.close();
  },
};

type Account = NonNullable<Awaited<ReturnType<typeof lockUser>>>;

async function setPassword(write: UnitOfWork, linkHash: string, passwordHash: string): Promise<Account> {
  const now = Date.now();
  const link = await selectLink(write.db, linkHash, now);
  // Everywhere the account is locked before the link, so that transactions cannot deadlock.
  const user = link && (await lockUser(write, link.user_id));
  if (!user || user.disabled_at !== null || link.replaces !== passwordMark(user)) throw invalidToken();
  if (!(await spendLink(write.db, linkHash, now))) throw invalidToken();
  await setPasswordHash(write, user.id, passwordHash);
  await endSessions(write, user.id, () => true);
  await notePasswordByLink(write, user.id);
  write.log({ user_id: user.id }, "a password was set by a link");
  return user;
}

function deleteOldLinks(house: House): Promise<boolean> {
  return house.write((unit) => deleteLinks(unit.db, Date.now() - linkLivesMs));
}

function invalidToken(): Refusal {
  return new Refusal("invalid_token", "This link is wrong, used or too old. Ask for a new one.");
}
