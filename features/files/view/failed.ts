// A picture or recording that could not be loaded, until the server is reached again.
import { useEffect, useState } from "react";
import { useFailedPictures } from "../../../web/ui/browser/failed-pictures.ts";

/** Returns whether it has failed, and the function that says so. */
export function useFailed(): [boolean, () => void] {
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!hasFailed) return;
    return useFailedPictures.subscribe((paths) => {
      if (paths.size === 0) setFailed(false);
    });
  }, [hasFailed]);
  return [hasFailed, () => setFailed(true)];
}
