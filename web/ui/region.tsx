// A part of the page that can fail alone: the rest stays, and it can be loaded again.
import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import styles from "./region.module.css";
import { useWords } from "./words.ts";

interface Props {
  children: ReactNode;
}

interface State {
  hasFailed: boolean;
}

/** React knows of faults only by a class. */
export class Region extends Component<Props, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return <Fault onRetry={() => this.setState({ hasFailed: false })} />;
  }
}

function Fault({ onRetry }: { onRetry(): void }) {
  const { shell: words } = useWords();
  return (
    <div role="alert" className={styles.fault}>
      <p>{words.fault}</p>
      <Button onClick={onRetry}>{words.reloadPart}</Button>
    </div>
  );
}
