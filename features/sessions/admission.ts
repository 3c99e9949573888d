// Admission of new accounts: the first person, who becomes the owner, and then those whom the settings admit.
import { Refusal } from "../../protocol/errors.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { addPerson, isOwned, type NewPerson } from "../accounts/access.ts";
import { needSetupCode, settingsNow } from "../instance/access.ts";
import { isLive, joinBy, selectInvite } from "../invites/access.ts";

/** The codes that a person brings when registering. */
interface Brought {
  invite_code?: string | undefined;
  setup_code?: string | undefined;
}

/** Throws registration_closed (403) for people whom the settings exclude, before any slow work. */
export async function needAdmission(unit: UnitOfWork, headers: Headers, brought: Brought): Promise<void> {
  // The first person may register under any setting: they become the owner, who can invite the others.
  if (await isOwned(unit)) await inviteNeeded(unit, brought);
  else await needSetupCode(unit.house, headers, brought.setup_code);
}

/**
 * Adds the person's account, and lets them join by the invite that they needed. Checks the settings again: since
 * `needAdmission` somebody else may have become the owner, settings may have changed, or the invite may have ended.
 */
export async function admit(write: UnitOfWork, person: NewPerson, brought: Brought): Promise<void> {
  if (await addPerson(write, person)) return;
  const code = await inviteNeeded(write, brought);
  if (code === undefined) return;
  await joinBy(write, code, person.id).catch((error) => {
    throw error instanceof Refusal ? noInvite() : error;
  });
}

/** Returns the code of the valid invite required for registration; undefined if none is required. */
async function inviteNeeded(unit: UnitOfWork, { invite_code }: Brought): Promise<string | undefined> {
  const { registration } = await settingsNow(unit);
  if (registration === "open") return undefined;
  if (registration === "closed") throw closed("This server takes no new accounts.");
  const invite = await selectInvite(unit.db, invite_code ?? "");
  if (!invite || !isLive(invite)) throw noInvite();
  return invite.code;
}

function noInvite(): Refusal {
  return closed("A new account needs an invite that has not ended. Ask for a new one.");
}

function closed(sentence: string): Refusal {
  return new Refusal("registration_closed", sentence);
}
