import { copilot } from "./clis/copilot.ts";
import { describeCli } from "./matrix/describe-cli.ts";

describeCli(copilot);
