import { grokVibe } from "./clis/grok-vibe.ts";
import { describeCli } from "./matrix/describe-cli.ts";

describeCli(grokVibe);
