// Shows the page to somebody who is signed in, and a login over it when their session ends.
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { lazily } from "../ui/browser/lazily.ts";
import { askToSignIn } from "../ui/session/entering.ts";
import { useChat } from "../ui/session/house.tsx";
import { withWords } from "../ui/words/words.ts";
import { Waiting } from "./waiting.tsx";

const SignInAgain = lazily(async () => {
  // Also loads the other ways to sign in.
  await withWords("gate", import("../gate.tsx"));
  return (await import("../../features/sessions/view/sign-in-again.tsx")).SignInAgain;
});

export function SignedIn({ children }: { children: ReactNode }) {
  const hasCopy = useChat(({ copy }) => copy !== undefined);
  const why = useChat(({ connection }) => (connection.is === "ended" ? connection.why : undefined));
  const [, navigate] = useLocation();
  const isOut = why === "not authenticated" || why === "signed out";
  // The copy of an earlier page does not prove that its person is signed in.
  const user = useChat(({ copy, generation }) => (generation > 0 ? copy?.user : undefined));
  const last = useRef(user);
  last.current = user ?? last.current;
  const isNobody = last.current === undefined;
  useEffect(() => {
    if (isOut && isNobody) askToSignIn(navigate);
  }, [isOut, isNobody, navigate]);
  if (isOut) return last.current ? <SignInAgain user={last.current} /> : null;
  return hasCopy ? children : <Waiting />;
}
