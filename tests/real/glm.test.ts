import { glm } from "./clis/glm.ts";
import { describeCli } from "./matrix/describe-cli.ts";

describeCli(glm);
