import { describePrepared } from "../matrix/describe-prepared.ts";
import { WARM_CLIS } from "../open-warm.ts";

for (const name of WARM_CLIS) describePrepared(name, ["Hello", "@package.json --help"]);
