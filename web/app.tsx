// The routes of the page. Those before signing in have a small bundle of their own, which is loaded first.
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Route, Router, Switch } from "wouter";
import { askInstance, useInstance } from "../features/instance/view/instance.ts";
import { isSettingUp } from "./setup/progress.ts";
import { FrameBones } from "./shell/frame-bones.tsx";
import { lazily } from "./ui/browser/lazily.ts";
import { Region } from "./ui/controls/region.tsx";
import { Slow } from "./ui/loading/slow.tsx";
import { askBeforeLeaving } from "./ui/navigation/leaving.ts";
import { wasHere } from "./ui/session/belongings.ts";
import { withWords } from "./ui/words/words.ts";

type Gate = typeof import("./gate.tsx");

const Shell = lazily(
  async () => (await withWords("house", import("./shell/shell.tsx"))).default,
  () => <Slow atFirst={<FrameBones />} />,
);
const Setup = lazily(
  async () =>
    (await withWords("rest", withWords("pages", withWords("gate", import("./setup/setup.tsx"))))).default,
  Slow,
);
const Login = gatePage((gate) => gate.LoginPage);
const Register = gatePage((gate) => gate.RegisterPage);
const Reset = gatePage((gate) => gate.ResetPage);

/** Starts loading what the address needs, in parallel with the words and the instance's description. */
export function prepare(): void {
  // The views that use it report the error.
  askInstance().catch(() => {});
  const isOfGate = ["/login", "/register", "/reset-password"].includes(location.pathname);
  if (!isOfGate) Shell.ask().catch(() => {});
}

function gatePage(of: (gate: Gate) => ComponentType) {
  return lazily(async () => of(await withWords("gate", import("./gate.tsx"))), Slow);
}

export function App() {
  return (
    <Router aroundNav={askBeforeLeaving}>
      <Region isWhole>
        <SetUpFirst>
          <Switch>
            <Route path="/login" component={Login} />
            <Route path="/register" component={Register} />
            <Route path="/reset-password" component={Reset} />
            <Route>
              <Shell />
            </Route>
          </Switch>
        </SetUpFirst>
      </Region>
    </Router>
  );
}

/** As long as the instance has no owner, every address shows the setup: creating the owner, and the steps after it. */
function SetUpFirst({ children }: { children: ReactNode }) {
  const instance = useInstance();
  const isKnown = useAnswered() || instance !== undefined;
  const [began, setBegan] = useState(isSettingUp);
  const mustBeSetUp = instance !== undefined && instance.setup !== "done";
  // Once the setup is shown it stays: it also reports that somebody else has finished it.
  if (mustBeSetUp && !began) setBegan(true);
  if (began || mustBeSetUp) return <Setup />;
  return isKnown ? children : null;
}

/** How long to wait for the instance's answer, in milliseconds; after that, the following view reports the problem. */
const patienceMs = 5000;

/** True if the request about the instance is over, successful or not. A browser that was used before does not wait. */
function useAnswered(): boolean {
  const [isAnswered, setAnswered] = useState(wasHere);
  useEffect(() => {
    const answered = () => setAnswered(true);
    const timer = setTimeout(answered, patienceMs);
    askInstance().then(answered, answered);
    return () => clearTimeout(timer);
  }, []);
  return isAnswered;
}
