// What must be exact is so for three processes of which sixty calls at once ask for the same.
import { areExact } from "./exact.ts";

areExact(60);
