import { opencode } from "./clis/opencode.ts";
import { describeCli } from "./matrix/describe-cli.ts";

describeCli(opencode);
