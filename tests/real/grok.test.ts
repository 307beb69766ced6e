import { grok } from "./clis/grok.ts";
import { describeCli } from "./matrix/describe-cli.ts";

describeCli(grok);
