// The link from a forgotten password back to signing in.
import { Link } from "../../../web/ui/navigation/link.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { Aside } from "../../instance/view/gate.tsx";

export function BackToSignIn() {
  const { passwordResets: words } = useWords();
  return (
    <Aside>
      <p>
        <Link href="/login">{words.back}</Link>
      </p>
    </Aside>
  );
}
