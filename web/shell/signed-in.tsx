// What stands behind the gate: shown to somebody who is signed in, and kept in place when their session ends in the middle.
import { type ReactNode, useEffect } from "react";
import { useLocation } from "wouter";
import { askToSignIn } from "../ui/entering.ts";
import { useChat } from "../ui/house.tsx";
import { lazily } from "../ui/lazily.ts";
import { withWords } from "../ui/words.ts";
import { Waiting } from "./waiting.tsx";

const SignInAgain = lazily(async () => {
  // Brings the other ways to sign in, too.
  await withWords("gate", import("../gate.tsx"));
  return (await import("../../features/sessions/view/sign-in-again.tsx")).SignInAgain;
});

export function SignedIn({ children }: { children: ReactNode }) {
  const hasCopy = useChat(({ copy }) => copy !== undefined);
  const why = useChat(({ connection }) => (connection.is === "ended" ? connection.why : undefined));
  const [, navigate] = useLocation();
  const isOut = why === "not authenticated" || why === "signed out";
  useEffect(() => {
    if (isOut && !hasCopy) askToSignIn(navigate);
  }, [isOut, hasCopy, navigate]);
  if (!hasCopy) return isOut ? null : <Waiting />;
  return (
    <>
      {children}
      {isOut && <SignInAgain />}
    </>
  );
}
