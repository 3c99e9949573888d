// The input of a registration form, and its validation before the server is asked, by the same rules.
import { isEmail } from "../../../protocol/email.ts";
import { limits } from "../../../protocol/limits.ts";

export interface Answers {
  email: string;
  username: string;
  display_name: string;
  password: string;
}

export const noAnswers: Answers = { email: "", username: "", display_name: "", password: "" };

/** The problem with a field; the texts are in the word catalogue. */
export type Fault =
  | "emailMissing"
  | "emailShape"
  | "usernameLength"
  | "usernameSigns"
  | "usernameReserved"
  | "displayNameMissing"
  | "displayNameLength"
  | "passwordShort"
  | "passwordLong";

const faults: { readonly [name in keyof Answers]: (value: string) => Fault | undefined } = {
  email: (value) => {
    const address = value.trim();
    if (address === "") return "emailMissing";
    return isEmail(address) ? undefined : "emailShape";
  },
  username: (value) => {
    // Suggestions of a phone's keyboard end with a blank.
    const name = value.trim();
    if (!/^[A-Za-z0-9_.-]*$/.test(name)) return "usernameSigns";
    if (name.length < limits.username_min || name.length > limits.username_max) return "usernameLength";
    return /^(?:everyone|here)[._-]*$/i.test(name) ? "usernameReserved" : undefined;
  },
  display_name: (value) => {
    const length = [...value.trim()].length;
    if (length < 1) return "displayNameMissing";
    return length > limits.display_name_max ? "displayNameLength" : undefined;
  },
  password: (value) => {
    if ([...value.normalize("NFC")].length < limits.password_min) return "passwordShort";
    return [...value.normalize("NFC")].length > limits.password_max ? "passwordLong" : undefined;
  },
};

export function faultOf(name: keyof Answers, value: string): Fault | undefined {
  return faults[name](value);
}

/** In display order. */
export const fieldNames = Object.keys(noAnswers) as (keyof Answers)[];

/** Returns the first field that the server would reject. */
export function firstFault(answers: Answers): keyof Answers | undefined {
  return fieldNames.find((name) => faultOf(name, answers[name]) !== undefined);
}
