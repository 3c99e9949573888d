// Whatever comes to whatever operation, forty times on each engine.
import { onOneProcess } from "../house/open/engines.ts";
import { fuzz } from "./fuzz.ts";

onOneProcess("fuzz", (house) => fuzz(house, 40));
