// Which address shows what. What one needs before one is signed in is small, and comes first.
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Route, Router, Switch } from "wouter";
import { askInstance, useInstance } from "../features/instance/view/instance.ts";
import { isSettingUp } from "./setup/progress.ts";
import { wasHere } from "./ui/belongings.ts";
import { askBeforeLeaving } from "./ui/leaving.ts";
import { withWords } from "./ui/words.ts";

type Gate = typeof import("./gate.tsx");

const Shell = lazy(loadShell);
const Setup = lazy(() => withWords("pages", withWords("gate", import("./setup/setup.tsx"))));
const Login = gatePage((gate) => gate.LoginPage);
const Register = gatePage((gate) => gate.RegisterPage);
const Reset = gatePage((gate) => gate.ResetPage);

let shell: ReturnType<typeof askForShell> | undefined;

function loadShell() {
  shell ??= askForShell();
  return shell;
}

function askForShell() {
  return withWords("house", import("./shell/shell.tsx"));
}

/** Asks for what the address needs at once, beside the words and before the instance has said what it is. */
export function prepare(): void {
  const isOfGate = ["/login", "/register", "/reset-password"].includes(location.pathname);
  // What cannot be had is asked for again when it is drawn.
  if (!isOfGate) loadShell().catch(() => (shell = undefined));
}

function gatePage(of: (gate: Gate) => ComponentType) {
  return lazy(async () => ({ default: of(await withWords("gate", import("./gate.tsx"))) }));
}

export function App() {
  return (
    <Router aroundNav={askBeforeLeaving}>
      <Suspense>
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
      </Suspense>
    </Router>
  );
}

/** As long as the instance has no owner, every address shows the page that makes one, and then the steps after it. */
function SetUpFirst({ children }: { children: ReactNode }) {
  const instance = useInstance();
  const isKnown = useAnswered();
  const [began, setBegan] = useState(isSettingUp);
  const mustBeSetUp = instance !== undefined && instance.setup !== "done";
  // Once it is shown it stays: it also says that somebody else was faster.
  if (mustBeSetUp && !began) setBegan(true);
  if (began || mustBeSetUp) return <Setup />;
  return isKnown ? children : null;
}

/** Whether the instance has said what it is, or cannot. A browser that somebody used before does not wait for that. */
function useAnswered(): boolean {
  const [isAnswered, setAnswered] = useState(wasHere);
  useEffect(() => {
    askInstance()
      .catch(() => {})
      .then(() => setAnswered(true));
  }, []);
  return isAnswered;
}
