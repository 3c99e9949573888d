// A picture or recording that could not be loaded: until the server is reached again, or for good.
import { useEffect, useState } from "react";
import { useFailedPictures } from "../../../web/ui/browser/failed-pictures.ts";

/** Returns whether it has failed, and the function that says so; with false, another try makes no sense. */
export function useFailed(): [boolean, (passes: boolean) => void] {
  const [failure, setFailure] = useState<{ passes: boolean }>();
  useEffect(() => {
    if (!failure?.passes) return;
    return useFailedPictures.subscribe((paths) => {
      if (paths.size === 0) setFailure(undefined);
    });
  }, [failure]);
  return [failure !== undefined, (passes) => setFailure({ passes })];
}
