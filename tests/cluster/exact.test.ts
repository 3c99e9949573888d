// Exact results from three processes under sixty concurrent calls for the same thing.
import { areExact } from "./exact.ts";

areExact(60);
