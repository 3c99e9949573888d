// Settings: whether this browser shows notifications while no page is open.
import { useEffect, useState } from "react";
import { Entry, Problem } from "../../../web/ui/controls/entry.tsx";
import { Switch } from "../../../web/ui/controls/switch.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { WayToHttps } from "../../../web/ui/session/way.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { useInstance } from "../../instance/view/instance.ts";
import {
  isSubscribed,
  type Obstacle,
  obstacleNow,
  onPermissionChange,
  subscribeHere,
  unsubscribeHere,
} from "./subscribing.ts";

export function ThisBrowser() {
  const { push: words } = useWords();
  const instance = useInstance();
  const act = useAct();
  const [isOn, setOn] = useState(false);
  const [obstacle, setObstacle] = useState<Obstacle | undefined>(obstacleNow);
  useEffect(() => {
    const look = () => {
      setObstacle(obstacleNow());
      void isSubscribed().then(setOn);
    };
    look();
    return onPermissionChange(look);
  }, []);
  const isSetUp = instance?.features.push !== false;
  // Obstacles that another press may remove do not disable the switch.
  const isLasting = obstacle !== undefined && obstacle !== "dismissed" && obstacle !== "failed";
  const reason = !isSetUp ? words.notSetUp : isLasting ? words[obstacle] : undefined;
  const turn = (wanted: boolean) =>
    void act.run(async () => {
      setOn(wanted);
      try {
        if (!wanted) await unsubscribeHere();
        const found = wanted ? await subscribeHere() : undefined;
        setObstacle(found);
        setOn(wanted && !found);
      } catch (error) {
        setOn(await isSubscribed());
        throw error;
      }
    });
  // Unsupported options are left out.
  if (obstacle === "unsupported") return null;
  if (obstacle === "needsHttps") return <WayToHttps label={words.here}>{words.wayToHttps}</WayToHttps>;
  return (
    <Entry label={words.here}>
      <Switch
        label={words.label}
        hint={isOn ? words.on : words.hint}
        isOn={isOn}
        disabledBecause={act.isBusy ? words.hint : reason}
        onChange={turn}
      />
      <div aria-live="polite">{obstacle && !reason && <Problem>{words[obstacle]}</Problem>}</div>
      <Refused by={act.error} />
    </Entry>
  );
}
