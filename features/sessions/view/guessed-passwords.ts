// The list of common passwords, loaded when somebody types a new one.
import { useEffect, useState } from "react";
import address from "./guessed-passwords.txt?url";
import { type Weakness, weaknessOf } from "./weak-password.ts";

let list: Promise<ReadonlySet<string>> | undefined;

/** Loads the list once; after a failure again with the next password. */
function loadCommon(): Promise<ReadonlySet<string>> {
  list ??= fetchCommon();
  list.catch(() => {
    list = undefined;
  });
  return list;
}

async function fetchCommon(): Promise<ReadonlySet<string>> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the common passwords cannot be had: ${answer.status}`);
  return new Set((await answer.text()).split("\n"));
}

const none: ReadonlySet<string> = new Set();

/** Undefined if the password is not known to be weak, or not a new one (`names` undefined). */
export function useWeakness(password: string, names: readonly string[] | undefined): Weakness | undefined {
  const [common, setCommon] = useState(none);
  const isWanted = names !== undefined && password !== "";
  useEffect(() => {
    // Without the list there is no warning: the choice of password is the person's.
    if (isWanted) loadCommon().then(setCommon, () => {});
  }, [isWanted]);
  return names && weaknessOf(password, names, common);
}
