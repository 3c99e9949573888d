// Creating a server, and joining one with a pasted invite.
import { type FormEvent, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { CallError } from "../../../client/call.ts";
import { inviteCodeIn } from "../../../web/ui/navigation/invite-code.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useTyped } from "../../../web/ui/overlays/typed.ts";
import { useChat } from "../../../web/ui/session/house.tsx";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { useRefusal, useWait } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { createServer } from "../calls.ts";

/** `onDone` is called when the server opens. */
export function useMaking(onDone: () => void) {
  const { servers: words } = useWords();
  const [, navigate] = useLocation();
  const { value: name, set: setName, forget } = useTyped("new server");
  const [madeId, setMadeId] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isEmpty, setEmpty] = useState(false);
  const [error, setError] = useState<CallError>();
  const refusal = useRefusal(error);
  const wait = useWait(error);
  // The event may arrive after the response; without a connection it never does, and the address has to suffice.
  const canOpen = useChat(
    ({ copy, connection }) => connection.is !== "live" || copy?.servers.some(({ id }) => id === madeId),
  );
  useEffect(() => {
    if (!madeId || !canOpen) return;
    onDone();
    navigate(paths.server(madeId));
  }, [madeId, canOpen, navigate, onDone]);

  async function make() {
    setEmpty(name.trim() === "");
    if (name.trim() === "" || isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      setMadeId((await createServer({ body: { name: name.trim() } })).id);
      forget();
    } catch (failure) {
      setError(CallError.from(failure));
      setBusy(false);
    }
  }

  const problem = fieldProblem(error, "name") ?? refusal ?? (isEmpty ? words.nameMissing : undefined);
  return { name, setName, isBusy, problem, wait, make: () => void make() };
}

export function useJoining(onDone: () => void) {
  const { servers: words } = useWords();
  const [, navigate] = useLocation();
  const { value: pasted, set: setPasted, forget } = useTyped("pasted invite");
  const [isWrong, setWrong] = useState(false);

  function join() {
    const code = inviteCodeIn(pasted);
    setWrong(!code);
    if (!code) return;
    forget();
    onDone();
    navigate(paths.invite(code));
  }

  function paste(text: string) {
    setPasted(text);
    if (isWrong) setWrong(!inviteCodeIn(text));
  }

  return { pasted, paste, problem: isWrong ? words.noInvite : undefined, join };
}

/** Handles a submitted form in the page: the browser sends nothing. */
export function sent(event: FormEvent, act: () => void): void {
  event.preventDefault();
  act();
}
